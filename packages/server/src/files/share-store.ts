import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

export interface ShareRow {
  readonly id: string
  readonly item_id: string
  readonly address: string
  readonly rights: 'read-only' | 'read-write'
  readonly created_at: Date
}

const columns = ['id', 'item_id', 'address', 'rights', 'created_at'] as const

/** Addresses that are somebody's. */
export const addressesOf = (userId: number) =>
  sql`(select address from addresses where kind in ('user', 'alias') and object_id = ${userId}::bigint)`

/** Whether what somebody has given to others is open: the owner is there, neither suspended nor in debt. */
export async function isServing(db: Db, ownerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`status & ${userStatus.suspended | userStatus.degraded}::int = 0`)
    .executeTakeFirst()
  return row !== undefined
}

/** The share that gives a user most of an item, of itself or of a collection above it. */
export async function bestShare(db: Db, userId: number, itemId: string): Promise<ShareRow | undefined> {
  const { rows } = await sql<ShareRow>`with recursive up(id) as (
      select ${itemId}::uuid
      union select r.parent_id from up join fs_relations r on r.child_id = up.id
        join fs_items p on p.id = r.parent_id and p.deleted_at is null)
    select s.id, s.item_id, s.address, s.rights, s.created_at from up join fs_shares s on s.item_id = up.id
    where s.address in ${addressesOf(userId)}
    order by s.rights desc, s.item_id = ${itemId}::uuid, s.id limit 1`.execute(db)
  return rows[0]
}

/** A share, and whether it is with an address of that user. */
export async function readShareOf(
  db: Db,
  id: string,
  userId: number,
): Promise<(ShareRow & { readonly is_callers: boolean }) | undefined> {
  return db
    .selectFrom('fs_shares')
    .select(columns)
    .select(sql<boolean>`address in ${addressesOf(userId)}`.as('is_callers'))
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Shares of one item, oldest first. */
export function sharesOf(db: Db, itemId: string): Promise<ShareRow[]> {
  return db
    .selectFrom('fs_shares')
    .select(columns)
    .where('item_id', '=', itemId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** One share of an item. */
export function readShare(db: Db, itemId: string, id: string): Promise<ShareRow | undefined> {
  return db
    .selectFrom('fs_shares')
    .select(columns)
    .where('id', '=', id)
    .where('item_id', '=', itemId)
    .executeTakeFirst()
}

/** False: the address has a share of the item already. */
export async function insertShare(
  db: Db,
  row: ShareRow & { readonly created_by: number | null },
): Promise<boolean> {
  const made = await db
    .insertInto('fs_shares')
    .values(row)
    .onConflict((conflict) => conflict.columns(['item_id', 'address']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

export async function updateShare(
  db: Db,
  id: string,
  change: Pick<ShareRow, 'address' | 'rights'>,
): Promise<void> {
  await db.updateTable('fs_shares').set(change).where('id', '=', id).execute()
}

export async function removeShare(db: Db, id: string): Promise<void> {
  await db.deleteFrom('fs_shares').where('id', '=', id).execute()
}
