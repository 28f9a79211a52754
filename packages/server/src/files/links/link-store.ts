import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A link to an item, as the database knows it: the token itself is not kept. */
export interface Link {
  readonly id: string
  readonly item_id: string
  readonly password_hash: string | null
  readonly expires_at: Date | null
  readonly max_downloads: number | null
  readonly downloads: number
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const columns = [
  'id',
  'item_id',
  'password_hash',
  'expires_at',
  'max_downloads',
  'downloads',
  'created_at',
  'last_used_at',
] as const

export function linksOf(db: Db, itemId: string): Promise<Link[]> {
  return db
    .selectFrom('fs_links')
    .select(columns)
    .where('item_id', '=', itemId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function readLink(db: Db, id: string): Promise<Link | undefined> {
  return db.selectFrom('fs_links').select(columns).where('id', '=', id).executeTakeFirst()
}

export function findLink(db: Db, tokenHash: Buffer): Promise<Link | undefined> {
  return db.selectFrom('fs_links').select(columns).where('token_hash', '=', tokenHash).executeTakeFirst()
}

export async function insertLink(
  trx: Db,
  link: Omit<Link, 'downloads' | 'last_used_at'> & {
    readonly token_hash: Buffer
    readonly created_by: number | null
  },
): Promise<Link> {
  return trx
    .insertInto('fs_links')
    .values({ ...link, last_used_at: null })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateLink(
  trx: Db,
  id: string,
  change: Partial<Pick<Link, 'password_hash' | 'expires_at' | 'max_downloads'>>,
): Promise<Link | undefined> {
  if (Object.keys(change).length === 0) return readLink(trx, id)
  return trx.updateTable('fs_links').set(change).where('id', '=', id).returning(columns).executeTakeFirst()
}

export async function removeLink(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('fs_links').where('id', '=', id).execute()
}

/** Ends all links to the items of an owner; how many those were. */
export async function removeLinksOf(trx: Db, ownerId: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('fs_links')
    .where('item_id', 'in', (query) =>
      query.selectFrom('fs_items').select('id').where('owner_id', '=', ownerId),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Counts a download that begins; false: there is none left, or the link has ended. */
export async function countDownload(trx: Db, id: string, now: Date): Promise<boolean> {
  const row = await trx
    .updateTable('fs_links')
    .set((eb) => ({ downloads: eb('downloads', '+', 1), last_used_at: now }))
    .where('id', '=', id)
    .where(sql<boolean>`(max_downloads is null or downloads < max_downloads)`)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('fs_links').set({ last_used_at: now }).where('id', '=', id).execute()
}
