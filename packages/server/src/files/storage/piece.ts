import { commitHeld } from '../../platform/db/held-transaction.ts'
import { newUuid } from '../../platform/ids.ts'
import type { ObjectWriter } from './content-store.ts'
import type { FileStorage } from './file-storage.ts'
import { insertPiece, removeUnstoredPiece, storePiece } from './piece-store.ts'
import { type SegmentKey, sealSegment, segmentKey } from './segments.ts'

/** Bytes passed to the store at once, because a call costs more than buffering a few segments. */
const batchBytes = 512 * 1024

/** Content and position of a piece. */
export interface PiecePlace {
  readonly contentId: string
  /** Offset in the content in bytes. */
  readonly position: number
}

/** An object being written: recorded in the database before its first byte and encrypted with its own key. */
export class Piece {
  readonly #storage: FileStorage
  readonly #id: string
  readonly #writer: ObjectWriter
  readonly #key: SegmentKey
  readonly place: PiecePlace
  /** Start time in milliseconds of the process. */
  readonly begun = performance.now()
  #segments = 0
  #size = 0
  /** Sealed segments not yet passed to the store. */
  #batch: Uint8Array[] = []
  #batched = 0
  /** The write in progress. */
  #writing: Promise<void> = Promise.resolve()

  private constructor(
    storage: FileStorage,
    made: { readonly id: string; readonly writer: ObjectWriter; readonly key: SegmentKey },
    place: PiecePlace,
  ) {
    this.#storage = storage
    this.#id = made.id
    this.#writer = made.writer
    this.#key = made.key
    this.place = place
  }

  static async begin(storage: FileStorage, place: PiecePlace): Promise<Piece> {
    const { db, clock, store, keys } = storage
    const id = newUuid()
    const { raw, keyId, wrapped } = await keys.make()
    await insertPiece(db, {
      id,
      contentId: place.contentId,
      state: 'writing',
      position: place.position,
      keyId,
      wrappedKey: wrapped,
      createdAt: clock.now(),
    })
    const writer = await store.create(id)
    return new Piece(storage, { id, writer, key: segmentKey(raw) }, place)
  }

  /** Bytes of content in the piece. */
  get size(): number {
    return this.#size
  }

  /** Adds a segment in parts, which may be reused afterwards; resolves when the next one can be added. */
  async add(parts: readonly Uint8Array[], isLast: boolean): Promise<void> {
    for (const part of parts) this.#size += part.length
    for (const sealed of sealSegment(this.#key, this.#segments++, isLast, parts)) {
      this.#batch.push(sealed)
      this.#batched += sealed.length
    }
    if (this.#batched >= batchBytes) await this.#write()
  }

  /**
   * Makes the piece durable and adds it to its content in one transaction with `count`. Rethrows errors of
   * `count` and leaves nothing behind.
   */
  async commit(count: (trx: FileStorage['db'], bytes: number) => Promise<void>): Promise<void> {
    const { db, store } = this.#storage
    await this.#write()
    await this.#writing
    await this.#writer.commit()
    try {
      await db.transaction().execute(async (trx) => {
        await count(trx, this.#size)
        await storePiece(trx, this.#id, this.#size)
      })
      await commitHeld()
    } catch (error) {
      await store.remove(this.#id).catch(() => undefined)
      await this.#forget()
      throw error
    }
  }

  /** Discards the piece. Never throws: remains are removed by the garbage collection. */
  async discard(): Promise<void> {
    await this.#writing.catch(() => undefined)
    await this.#writer.discard()
    await this.#forget()
  }

  /** Passes the batch to the store after the previous one. */
  async #write(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#batched = 0
    await this.#writing
    this.#writing = this.#writer.write(batch)
    // the next await handles the failure
    this.#writing.catch(() => undefined)
  }

  async #forget(): Promise<void> {
    await removeUnstoredPiece(this.#storage.db, this.#id).catch(() => undefined)
  }
}
