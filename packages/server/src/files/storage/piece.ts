import { commitHeld } from '../../platform/db/held-transaction.ts'
import { newUuid } from '../../platform/ids.ts'
import type { ObjectWriter } from './content-store.ts'
import type { FileStorage } from './file-storage.ts'
import { insertPiece, removeUnstoredPiece, storePiece } from './piece-store.ts'
import { type SegmentKey, sealSegment, segmentKey } from './segments.ts'

/** Bytes that are handed to the store together: a call of it is dearer than memory for some segments. */
const batchBytes = 512 * 1024

/** Where a piece belongs. */
export interface PiecePlace {
  readonly contentId: string
  /** Bytes of the content before it. */
  readonly position: number
}

/** One object that is being written: known to the database before its first byte, encrypted under a key of its own. */
export class Piece {
  readonly #storage: FileStorage
  readonly #id: string
  readonly #writer: ObjectWriter
  readonly #key: SegmentKey
  readonly place: PiecePlace
  /** When it was begun, in milliseconds of the process. */
  readonly begun = performance.now()
  #segments = 0
  #size = 0
  /** Sealed and not yet handed to the store. */
  #batch: Uint8Array[] = []
  #batched = 0
  /** What the store was handed last. */
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

  /** Bytes of content in it. */
  get size(): number {
    return this.#size
  }

  /** Adds a segment in parts, which are not needed any more afterwards; resolves when there is room for another one. */
  async add(parts: readonly Uint8Array[], isLast: boolean): Promise<void> {
    for (const part of parts) this.#size += part.length
    for (const sealed of sealSegment(this.#key, this.#segments++, isLast, parts)) {
      this.#batch.push(sealed)
      this.#batched += sealed.length
    }
    if (this.#batched >= batchBytes) await this.#write()
  }

  /**
   * Makes the piece last, and in one transaction part of its content together with `count`. Throws what `count` throws, and
   * then nothing is left of it.
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

  /** Gives the piece up. Never throws: what stays is found by the collection of garbage. */
  async discard(): Promise<void> {
    await this.#writing.catch(() => undefined)
    await this.#writer.discard()
    await this.#forget()
  }

  /** Hands the batch to the store once it has the one before. */
  async #write(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#batched = 0
    await this.#writing
    this.#writing = this.#writer.write(batch)
    // a failure is met by whoever waits next
    this.#writing.catch(() => undefined)
  }

  async #forget(): Promise<void> {
    await removeUnstoredPiece(this.#storage.db, this.#id).catch(() => undefined)
  }
}
