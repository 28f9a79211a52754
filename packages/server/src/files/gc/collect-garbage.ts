import { after, day, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { removeExpiredTickets } from '../downloads/ticket-store.ts'
import type { FileSettings } from '../file-settings.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { purgeItem } from '../trash/purge-items.ts'
import { someTrash } from '../trash/trash-store.ts'
import {
  doomedPieces,
  doomUnneeded,
  endUnfinishedPieces,
  isPiece,
  removeDoomed,
  removeExpiredUploads,
  removeOldVersions,
  removePiece,
} from './garbage-store.ts'

/** Rows that one step works on. */
const batch = 100

/** Seconds for which the content of something that was whole stays after nobody needs it: somebody may be reading it. */
export const grace = day

/** Seconds after which a piece that was never finished is one of a writer that died: writers finish theirs in minutes. */
const longestWriting = 6 * hour

/**
 * Ends what has had its time and frees what nobody needs. Each step is a transaction of its own, and may be repeated: a row
 * is marked, then its objects go, then the row, so that a crash leaves something to be done and never something lost.
 */
export class GarbageCollection {
  readonly #storage: FileStorage
  readonly #settings: FileSettings

  constructor(storage: FileStorage, settings: FileSettings) {
    this.#storage = storage
    this.#settings = settings
  }

  async run(): Promise<void> {
    const { db, clock } = this.#storage
    await removeExpiredTickets(db, clock.now())
    // uploads that nobody went on with, and finished ones that nobody asks about any more
    await removeExpiredUploads(db, clock.now())
    await this.#endTrash()
    const replacedBefore = after(clock.now(), -this.#settings.FILES_VERSION_DAYS * day)
    await removeOldVersions(db, replacedBefore, this.#settings.FILES_VERSIONS)
    while (await this.#doomSome());
    while (await this.#reapSome());
    await this.#reapUnfinished()
  }

  async #endTrash(): Promise<void> {
    const { db, clock } = this.#storage
    const before = after(clock.now(), -this.#settings.FILES_TRASH_DAYS * day)
    for (;;) {
      const some = await someTrash(db, { before }, batch)
      if (some.length === 0) return
      for (const item of some) await purgeItem(this.#storage, item, {})
    }
  }

  /** Marks some contents that neither a version nor an upload needs. False: none was left. */
  #doomSome(): Promise<boolean> {
    const { db, clock } = this.#storage
    return db.transaction().execute(async (trx) => {
      const { found, marked } = await doomUnneeded(trx, clock.now(), batch)
      return marked === found && found === batch
    })
  }

  /** Deletes the objects of some marked contents, then what is known of them. False: none was left. */
  async #reapSome(): Promise<boolean> {
    const { db, clock } = this.#storage
    const pieces = await doomedPieces(db, after(clock.now(), -grace), batch)
    await this.#reap(pieces)
    await removeDoomed(db)
    return pieces.length === batch
  }

  /** Pieces whose writer died before they were finished, whatever became of their content. */
  async #reapUnfinished(): Promise<void> {
    const { db, clock } = this.#storage
    await this.#reap(await endUnfinishedPieces(db, after(clock.now(), -longestWriting), batch))
  }

  async #reap(ids: readonly string[]): Promise<void> {
    const { db, store } = this.#storage
    for (const id of ids) {
      await store.remove(id)
      await removePiece(db, id)
    }
  }
}

/** Compares what the store has with what the database knows; for who restored one of them from a backup. */
export async function unknownObjects(db: Db, ids: AsyncIterable<string>): Promise<string[]> {
  const unknown: string[] = []
  for await (const id of ids) if (!(await isPiece(db, id))) unknown.push(id)
  return unknown
}
