import { sql } from 'kysely'
import { after, day, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { removeExpiredTickets } from '../downloads/ticket-store.ts'
import type { FileSettings } from '../file-settings.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { purgeItem } from '../trash/purge-items.ts'
import { someTrash } from '../trash/trash-store.ts'

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
    await this.#endUploads()
    await this.#endTrash()
    await this.#endVersions()
    while (await this.#doomSome());
    while (await this.#reapSome());
    await this.#reapUnfinished()
  }

  /** Uploads that nobody went on with, and finished ones that nobody asks about any more. */
  async #endUploads(): Promise<void> {
    const { db, clock } = this.#storage
    await db.deleteFrom('fs_uploads').where('expires_at', '<=', clock.now()).execute()
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

  /** Versions that were replaced too long ago, and those beyond the number that is kept of a file. */
  async #endVersions(): Promise<void> {
    const { db, clock } = this.#storage
    const before = after(clock.now(), -this.#settings.FILES_VERSION_DAYS * day)
    await db.deleteFrom('fs_versions').where('replaced_at', '<=', before).execute()
    await sql`delete from fs_versions where id in (
      select id from (select v.id, row_number() over (partition by v.item_id order by v.number desc) as place
        from fs_versions v where v.replaced_at is not null) ranked
      where place > ${this.#settings.FILES_VERSIONS}::int)`.execute(db)
  }

  /** Marks some contents that neither a version nor an upload needs. False: none was left. */
  #doomSome(): Promise<boolean> {
    const { db, clock } = this.#storage
    return db.transaction().execute(async (trx) => {
      const candidates = await trx
        .selectFrom('fs_contents')
        .select('id')
        .where('state', '<>', 'doomed')
        .where(unneeded)
        .orderBy('id')
        .limit(batch)
        .forUpdate()
        .skipLocked()
        .execute()
      if (candidates.length === 0) return false
      // looked at anew now that nobody can add a version of them
      const ids = candidates.map((row) => row.id)
      const doomed = await trx
        .updateTable('fs_contents')
        .set({ state: 'doomed', doomed_at: clock.now() })
        .where('id', 'in', ids)
        .where(unneeded)
        .returning('id')
        .execute()
      return doomed.length === candidates.length && candidates.length === batch
    })
  }

  /** Deletes the objects of some marked contents, then what is known of them. False: none was left. */
  async #reapSome(): Promise<boolean> {
    const { db, clock } = this.#storage
    const chunks = await db
      .selectFrom('fs_chunks as h')
      .innerJoin('fs_contents as c', 'c.id', 'h.content_id')
      .select('h.id')
      .where('c.state', '=', 'doomed')
      // those that may still be written come with the unfinished ones
      .where('h.state', '=', 'stored')
      .where((where) =>
        // what was never whole was never read
        where.or([where('c.sha256', 'is', null), where('c.doomed_at', '<=', after(clock.now(), -grace))]),
      )
      .limit(batch)
      .execute()
    await this.#reap(chunks.map((row) => row.id))
    await db
      .deleteFrom('fs_contents as c')
      .where('c.state', '=', 'doomed')
      .where(sql<boolean>`not exists (select from fs_chunks h where h.content_id = c.id)`)
      .execute()
    return chunks.length === batch
  }

  /** Pieces whose writer died before they were finished, whatever became of their content. */
  async #reapUnfinished(): Promise<void> {
    const { db, clock } = this.#storage
    const rows = await db
      .selectFrom('fs_chunks')
      .select('id')
      .where('state', '<>', 'stored')
      .where('created_at', '<=', after(clock.now(), -longestWriting))
      .limit(batch)
      .execute()
    const ids = rows.map((row) => row.id)
    if (ids.length === 0) return
    // a writer that lives after all finds that its piece does not count any more
    const dead = await db
      .updateTable('fs_chunks')
      .set({ state: 'dead' })
      .where('id', 'in', ids)
      .where('state', '<>', 'stored')
      .returning('id')
      .execute()
    await this.#reap(dead.map((row) => row.id))
  }

  async #reap(ids: readonly string[]): Promise<void> {
    const { db, store } = this.#storage
    for (const id of ids) {
      await store.remove(id)
      await db.deleteFrom('fs_chunks').where('id', '=', id).execute()
    }
  }
}

const unneeded = sql<boolean>`not exists (select from fs_versions v where v.content_id = fs_contents.id)
  and not exists (select from fs_uploads u where u.content_id = fs_contents.id and u.finished_item_id is null)`

/** Compares what the store has with what the database knows; for who restored one of them from a backup. */
export async function unknownObjects(db: Db, ids: AsyncIterable<string>): Promise<string[]> {
  const unknown: string[] = []
  for await (const id of ids) {
    const row = await db.selectFrom('fs_chunks').select('id').where('id', '=', id).executeTakeFirst()
    if (row === undefined) unknown.push(id)
  }
  return unknown
}
