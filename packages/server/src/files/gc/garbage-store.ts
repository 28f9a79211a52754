import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export async function removeExpiredUploads(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('fsUploads').where('expiresAt', '<=', now).execute()
}

/** Removes versions replaced before `before`, and those beyond the number kept per file. */
export async function removeOldVersions(db: Db, before: Date, kept: number): Promise<void> {
  await db.deleteFrom('fsVersions').where('replacedAt', '<=', before).execute()
  await sql`delete from fs_versions where id in (
    select id from (select v.id, row_number() over (partition by v.item_id order by v.number desc) as place
      from fs_versions v where v.replaced_at is not null) ranked
    where place > ${kept}::int)`.execute(db)
}

const unneeded = (now: Date) => sql<boolean>`(kept_until is null or kept_until <= ${now}::timestamptz)
  and not exists (select from fs_versions v where v.content_id = fs_contents.id)
  and not exists (select from fs_uploads u where u.content_id = fs_contents.id and u.finished_item_id is null)`

/**
 * Marks a batch of contents that neither a version nor an upload needs and that aren't kept for another reason.
 * Returns how many were found and marked.
 */
export async function doomUnneeded(trx: Db, now: Date, limit: number) {
  const found = await trx
    .selectFrom('fsContents')
    .select('id')
    .where('state', '<>', 'doomed')
    .where(unneeded(now))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  const ids = found.map((row) => row.id)
  if (ids.length === 0) return { found: 0, marked: 0 }
  // checked again under the lock, when no version can be added
  const marked = await trx
    .updateTable('fsContents')
    .set({ state: 'doomed', doomedAt: now })
    .where('id', 'in', ids)
    .where(unneeded(now))
    .returning('id')
    .execute()
  return { found: ids.length, marked: marked.length }
}

/** Returns stored pieces of marked contents that were never complete or were marked before `before`. */
export async function doomedPieces(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('fsChunks as h')
    .innerJoin('fsContents as c', 'c.id', 'h.contentId')
    .select('h.id')
    .where('c.state', '=', 'doomed')
    // pieces that may still be being written are handled as unfinished
    .where('h.state', '=', 'stored')
    // incomplete content was never read
    .where((where) => where.or([where('c.sha256', 'is', null), where('c.doomedAt', '<=', before)]))
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Removes marked contents without pieces. */
export async function removeDoomed(db: Db): Promise<void> {
  await db
    .deleteFrom('fsContents as c')
    .where('c.state', '=', 'doomed')
    .where(sql<boolean>`not exists (select from fs_chunks h where h.content_id = c.id)`)
    .execute()
}

/** Marks unfinished pieces begun before `before` as dead and returns them. */
export async function endUnfinishedPieces(db: Db, before: Date, limit: number): Promise<string[]> {
  const found = await db
    .selectFrom('fsChunks')
    .select('id')
    .where('state', '<>', 'stored')
    .where('createdAt', '<=', before)
    .limit(limit)
    .execute()
  const ids = found.map((row) => row.id)
  if (ids.length === 0) return []
  // a writer that is still running will find that its piece no longer counts
  const dead = await db
    .updateTable('fsChunks')
    .set({ state: 'dead' })
    .where('id', 'in', ids)
    .where('state', '<>', 'stored')
    .returning('id')
    .execute()
  return dead.map((row) => row.id)
}

export async function removePiece(db: Db, id: string): Promise<void> {
  await db.deleteFrom('fsChunks').where('id', '=', id).execute()
}

export async function isPiece(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('fsChunks').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
