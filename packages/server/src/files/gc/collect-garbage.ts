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

/** Rows processed per step. */
const batch = 100

/** Seconds for which complete content is kept after its last use, because it may still be being read. */
export const grace = day

/** Seconds after which an unfinished piece belongs to a crashed writer. Writing takes minutes. */
const longestWriting = 6 * hour

/**
 * Removes what has expired and what is no longer needed. Each step is a separate transaction and can be
 * repeated: a row is marked, then its objects are deleted, then the row, so that a crash leaves work to be
 * done but loses nothing.
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
    // abandoned uploads, and finished ones whose result is no longer queried
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

  /** Marks a batch of contents that neither a version nor an upload needs. Returns false if none are left. */
  #doomSome(): Promise<boolean> {
    const { db, clock } = this.#storage
    return db.transaction().execute(async (trx) => {
      const { found, marked } = await doomUnneeded(trx, clock.now(), batch)
      return marked === found && found === batch
    })
  }

  /** Deletes the objects of a batch of marked contents, then their rows. Returns false if none are left. */
  async #reapSome(): Promise<boolean> {
    const { db, clock } = this.#storage
    const pieces = await doomedPieces(db, after(clock.now(), -grace), batch)
    await this.#reap(pieces)
    await removeDoomed(db)
    return pieces.length === batch
  }

  /** Deletes pieces whose writer crashed, regardless of their content. */
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

/** Compares the store with the database, for use after restoring one of them from a backup. */
export async function unknownObjects(db: Db, ids: AsyncIterable<string>): Promise<string[]> {
  const unknown: string[] = []
  for await (const id of ids) if (!(await isPiece(db, id))) unknown.push(id)
  return unknown
}
