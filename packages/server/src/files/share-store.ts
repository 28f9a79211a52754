import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { userSetting } from '../users/setting-store.ts'

export interface ShareRow {
  readonly id: string
  readonly itemId: string
  readonly address: string
  readonly rights: 'read-only' | 'read-write'
  readonly createdAt: Date
}

const columns = ['id', 'itemId', 'address', 'rights', 'createdAt'] as const

/** The addresses of a user. */
export const addressesOf = (userId: number) =>
  sql`(select address from addresses where kind in ('user', 'alias') and object_id = ${userId}::bigint)`

/**
 * Returns whether items shared by a user are accessible: the owner is active, neither suspended nor in debt.
 */
export async function isServing(db: Db, ownerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', ownerId)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`status & ${userStatus.suspended | userStatus.degraded}::int = 0`)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the share of an item or one of its ancestors that gives a user the most rights. */
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

/** Returns a share, and whether it is with one of the user's addresses. */
export async function readShareOf(
  db: Db,
  id: string,
  userId: number,
): Promise<(ShareRow & { readonly isCallers: boolean }) | undefined> {
  return db
    .selectFrom('fsShares')
    .select(columns)
    .select(sql<boolean>`address in ${addressesOf(userId)}`.as('isCallers'))
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the shares of an item, oldest first. */
export function sharesOf(db: Db, itemId: string): Promise<ShareRow[]> {
  return db
    .selectFrom('fsShares')
    .select(columns)
    .where('itemId', '=', itemId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Returns a share of an item. */
export function readShare(db: Db, itemId: string, id: string): Promise<ShareRow | undefined> {
  return db
    .selectFrom('fsShares')
    .select(columns)
    .where('id', '=', id)
    .where('itemId', '=', itemId)
    .executeTakeFirst()
}

/** Returns false if the address already has a share of the item. */
export async function insertShare(
  db: Db,
  row: ShareRow & { readonly createdBy: number | null },
): Promise<boolean> {
  const made = await db
    .insertInto('fsShares')
    .values(row)
    .onConflict((conflict) => conflict.columns(['itemId', 'address']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

export async function updateShare(
  db: Db,
  id: string,
  change: Pick<ShareRow, 'address' | 'rights'>,
): Promise<void> {
  await db.updateTable('fsShares').set(change).where('id', '=', id).execute()
}

export async function removeShare(db: Db, id: string): Promise<void> {
  await db.deleteFrom('fsShares').where('id', '=', id).execute()
}

/** Returns whether an address belongs to the owner. */
export async function isOwnersAddress(db: Db, ownerId: number, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('addresses')
    .select('address')
    .where('address', '=', address)
    .where('address', 'in', addressesOf(ownerId).$castTo<string>())
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether an item has shares or links. */
export async function isGivenAway(db: Db, itemId: string): Promise<boolean> {
  for (const table of ['fsShares', 'fsLinks'] as const) {
    const row = await db.selectFrom(table).select('id').where('itemId', '=', itemId).executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

/** Counts the shares of an item. */
export async function countShares(db: Db, itemId: string): Promise<number> {
  const { count } = await db
    .selectFrom('fsShares')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('itemId', '=', itemId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns a share if it is still with that address. */
export function shareWith(db: Db, id: string, address: string) {
  return db
    .selectFrom('fsShares')
    .select(['itemId', 'rights'])
    .where('id', '=', id)
    .where('address', '=', address)
    .executeTakeFirst()
}

/** Returns the user who has an address and can open items shared with it. */
export function holderOf(db: Db, address: string, tenantId: number) {
  return db
    .selectFrom('addresses as a')
    .innerJoin('users as u', 'u.id', 'a.objectId')
    .select(['u.id', 'u.language'])
    .select([userSetting('first_name').as('firstName'), userSetting('last_name').as('lastName')])
    .where('a.address', '=', address)
    .where('a.kind', 'in', ['user', 'alias'])
    .where('u.tenantId', '=', tenantId)
    .where('u.deletedAt', 'is', null)
    .where((eb) => eb(eb('u.status', '&', userStatus.suspended), '=', 0))
    .executeTakeFirst()
}

/** Counts the e-mails of a kind sent to a user since a date. */
export async function mailsSince(db: Db, userId: number, name: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('mailLog')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('createdAt', '>', since)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return count
}
