import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A link to an item as stored in the database, without the token itself. */
export interface Link {
  readonly id: string
  readonly itemId: string
  readonly passwordHash: string | null
  readonly expiresAt: Date | null
  readonly maxDownloads: number | null
  readonly downloads: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const columns = [
  'id',
  'itemId',
  'passwordHash',
  'expiresAt',
  'maxDownloads',
  'downloads',
  'createdAt',
  'lastUsedAt',
] as const

export function linksOf(db: Db, itemId: string): Promise<Link[]> {
  return db
    .selectFrom('fsLinks')
    .select(columns)
    .where('itemId', '=', itemId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export function readLink(db: Db, id: string): Promise<Link | undefined> {
  return db.selectFrom('fsLinks').select(columns).where('id', '=', id).executeTakeFirst()
}

export function findLink(db: Db, tokenHash: Buffer): Promise<Link | undefined> {
  return db.selectFrom('fsLinks').select(columns).where('tokenHash', '=', tokenHash).executeTakeFirst()
}

export async function insertLink(
  trx: Db,
  link: Omit<Link, 'downloads' | 'lastUsedAt'> & {
    readonly tokenHash: Buffer
    readonly createdBy: number | null
  },
): Promise<Link> {
  return trx
    .insertInto('fsLinks')
    .values({ ...link, lastUsedAt: null })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateLink(
  trx: Db,
  id: string,
  change: Partial<Pick<Link, 'passwordHash' | 'expiresAt' | 'maxDownloads'>>,
): Promise<Link | undefined> {
  if (Object.keys(change).length === 0) return readLink(trx, id)
  return trx.updateTable('fsLinks').set(change).where('id', '=', id).returning(columns).executeTakeFirst()
}

export async function removeLink(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('fsLinks').where('id', '=', id).execute()
}

/** Removes all links to an owner's items; returns their number. */
export async function removeLinksOf(trx: Db, ownerId: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('fsLinks')
    .where('itemId', 'in', (query) => query.selectFrom('fsItems').select('id').where('ownerId', '=', ownerId))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Counts the start of a download. Returns false if none are left or the link has expired. */
export async function countDownload(trx: Db, id: string, now: Date): Promise<boolean> {
  const row = await trx
    .updateTable('fsLinks')
    .set((eb) => ({ downloads: eb('downloads', '+', 1), last_used_at: now }))
    .where('id', '=', id)
    .where(sql<boolean>`(max_downloads is null or downloads < max_downloads)`)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('fsLinks').set({ lastUsedAt: now }).where('id', '=', id).execute()
}
