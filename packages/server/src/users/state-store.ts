import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** Status bits to add and remove at once, for a user with no bits outside `from`. */
export interface StatusChange {
  readonly add: number
  readonly remove: number
  readonly from: number
  /** The user must be deleted, rather than not deleted. */
  readonly ofDeleted: boolean
}

/**
 * Changes a user's status in one statement, so that concurrent writers don't undo each other's bits; returns
 * false if the change isn't allowed.
 */
export async function changeStatus(
  db: Db,
  userId: number,
  { add, remove, from, ofDeleted }: StatusChange,
  now: Date,
): Promise<boolean> {
  const changed = await db
    .updateTable('users')
    .set({ status: sql<number>`(status | ${add}::int) & ~${remove}::int`, updatedAt: now })
    .where('id', '=', userId)
    .where('deletedAt', ofDeleted ? 'is not' : 'is', null)
    .where(sql<boolean>`status & ~${from}::int = 0`)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/**
 * Returns a user's status and locks the user until the transaction ends. Throws NoResultError if the user
 * doesn't exist.
 */
export async function holdStatus(trx: Db, userId: number): Promise<number> {
  const { status } = await trx
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return status
}

/** Returns a user's status and a setting; undefined without that setting. */
export async function statusWithSetting(
  db: Db,
  userId: number,
  key: string,
): Promise<{ status: number; value: string } | undefined> {
  return db
    .selectFrom('users as u')
    .innerJoin('userSettings as s', 's.userId', 'u.id')
    .select(['u.status', 's.value'])
    .where('u.id', '=', userId)
    .where('s.key', '=', key)
    .executeTakeFirst()
}

/** Activates users of an owner's accounts whose mailboxes are ready. */
export async function activateMembers(trx: Db, ownerId: number, now: Date): Promise<void> {
  const { imapReady, deleted, active } = userStatus
  await sql`update users set status = status | ${active}::int, updated_at = ${now}
    where id in (${heldMembers(ownerId)}) and status & ${imapReady | deleted | active}::int = ${imapReady}::int`.execute(
    trx,
  )
}

/** Lifts the restrictions of never-paid accounts from users of an owner's accounts. */
export async function unrestrictMembers(trx: Db, ownerId: number, now: Date): Promise<void> {
  const { restricted } = userStatus
  await sql`update users set status = status & ~${restricted}::int, updated_at = ${now}
    where id in (${heldMembers(ownerId)}) and status & ${restricted}::int <> 0`.execute(trx)
}

/** Active users of the accounts a user owns, in lock order. */
function heldMembers(ownerId: number) {
  return sql<{ id: number }>`select u.id from users u join wallets w on w.id = u.wallet_id
    where w.user_id = ${ownerId} and u.deleted_at is null order by u.id for no key update of u`
}

/** Returns active users of the accounts a user owns. */
export async function membersWithOwner(trx: Db, ownerId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select u.id from users u join wallets w on w.id = u.wallet_id
    where w.user_id = ${ownerId} and u.deleted_at is null`.execute(trx)
  return rows.map((row) => row.id)
}
