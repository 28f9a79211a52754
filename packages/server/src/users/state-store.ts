import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** Status bits to add and to remove at once, in a user with no bits outside `from`. */
export interface StatusChange {
  readonly add: number
  readonly remove: number
  readonly from: number
  /** The user has to be deleted rather than not. */
  readonly ofDeleted: boolean
}

/** Changes the status of a user in one statement, so that two writers never undo each other's bits; false where it may not be changed. */
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

/** The status of a user, who is held for the rest of the transaction. Throws NoResultError without such a user. */
export async function holdStatus(trx: Db, userId: number): Promise<number> {
  const { status } = await trx
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return status
}

/** The status of a user and a setting; undefined without that setting. */
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

/** Makes active those users of an owner's accounts whose mailbox is ready. */
export async function activateMembers(trx: Db, ownerId: number, now: Date): Promise<void> {
  const { imapReady, deleted, active } = userStatus
  await sql`update users set status = status | ${active}::int, updated_at = ${now}
    where id in (${heldMembers(ownerId)}) and status & ${imapReady | deleted | active}::int = ${imapReady}::int`.execute(
    trx,
  )
}

/** Lifts the limits of accounts that never paid from the users of an owner's accounts. */
export async function unrestrictMembers(trx: Db, ownerId: number, now: Date): Promise<void> {
  const { restricted } = userStatus
  await sql`update users set status = status & ~${restricted}::int, updated_at = ${now}
    where id in (${heldMembers(ownerId)}) and status & ${restricted}::int <> 0`.execute(trx)
}

/** Living users of the accounts that a user owns, in the order in which rows are held. */
function heldMembers(ownerId: number) {
  return sql<{ id: number }>`select u.id from users u join wallets w on w.id = u.wallet_id
    where w.user_id = ${ownerId} and u.deleted_at is null order by u.id for no key update of u`
}

/** Living users of the accounts that a user owns. */
export async function membersWithOwner(trx: Db, ownerId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select u.id from users u join wallets w on w.id = u.wallet_id
    where w.user_id = ${ownerId} and u.deleted_at is null`.execute(trx)
  return rows.map((row) => row.id)
}
