import { newUuid } from '../../platform/ids.ts'
import type { ObjectWriter } from './content-store.ts'
import type { FileStorage } from './file-storage.ts'
import { importKey, type SegmentKey, sealSegment } from './segments.ts'

/** Segments of one piece that are encrypted or written at the same time. */
const inFlight = 3

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
  #running: Promise<void>[] = []
  #tail: Promise<void> = Promise.resolve()

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
    await db
      .insertInto('fs_chunks')
      .values({
        id,
        content_id: place.contentId,
        state: 'writing',
        position: place.position,
        key_id: keyId,
        wrapped_key: wrapped,
        created_at: clock.now(),
      })
      .execute()
    const writer = await store.create(id)
    return new Piece(storage, { id, writer, key: await importKey(raw) }, place)
  }

  /** Bytes of content in it. */
  get size(): number {
    return this.#size
  }

  /** Adds a segment; resolves when there is room for another one. `done` is called once the bytes are not needed. */
  async add(bytes: Uint8Array, isLast: boolean, done: () => void): Promise<void> {
    const index = this.#segments++
    this.#size += bytes.length
    const sealed = sealSegment(this.#key, index, isLast, bytes).finally(done)
    const before = this.#tail
    this.#tail = sealed.then(async (segment) => {
      await before
      await this.#writer.write(segment)
    })
    // a failure is met by whoever waits next
    this.#tail.catch(() => undefined)
    this.#running.push(this.#tail)
    if (this.#running.length >= inFlight) await this.#running.shift()
  }

  /**
   * Makes the piece last, and in one transaction part of its content together with `count`. Throws what `count` throws, and
   * then nothing is left of it.
   */
  async commit(count: (trx: FileStorage['db'], bytes: number) => Promise<void>): Promise<void> {
    const { db, store } = this.#storage
    await this.#tail
    this.#running = []
    await this.#writer.commit()
    try {
      await db.transaction().execute(async (trx) => {
        await count(trx, this.#size)
        await trx
          .updateTable('fs_chunks')
          .set({ state: 'stored', size: this.#size })
          .where('id', '=', this.#id)
          .where('state', '=', 'writing')
          .returning('id')
          .executeTakeFirstOrThrow()
      })
    } catch (error) {
      await store.remove(this.#id).catch(() => undefined)
      await this.#forget()
      throw error
    }
  }

  /** Gives the piece up. Never throws: what stays is found by the collection of garbage. */
  async discard(): Promise<void> {
    await this.#tail.catch(() => undefined)
    await this.#writer.discard()
    await this.#forget()
  }

  async #forget(): Promise<void> {
    await this.#storage.db
      .deleteFrom('fs_chunks')
      .where('id', '=', this.#id)
      .where('state', '=', 'writing')
      .execute()
      .catch(() => undefined)
  }
}
