import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'

/** Holds a user for the rest of the transaction; false when there is none or it is deleted. */
export async function holdUser(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Holds a user for the rest of the transaction who is to stay deleted as long; false when he is not. */
export async function holdDeletedUser(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** The tenant of a user. Throws NoResultError without such a user. */
export async function tenantOf(db: Db, userId: number): Promise<number> {
  const query = db.selectFrom('users').select('tenantId').where('id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).tenantId
}

/** The language that a user has chosen, as it is stored. */
export async function languageOf(db: Db, userId: number): Promise<string | null | undefined> {
  const query = db.selectFrom('users').select('language').where('id', '=', userId)
  return (await query.executeTakeFirst())?.language
}

/** Notes that a user was changed now. */
export async function touchUser(db: Db, clock: Clock, userId: number): Promise<void> {
  await db.updateTable('users').set({ updatedAt: clock.now() }).where('id', '=', userId).execute()
}

/** Marks a user as deleted; false when it is already. */
export async function markDeleted(db: Db, clock: Clock, userId: number): Promise<boolean> {
  const now = clock.now()
  const row = await db
    .updateTable('users')
    .set({ deletedAt: now, updatedAt: now })
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes from a user what others gave: links to set a password, control of accounts, offers of it, also to others. */
export async function withdrawTrust(db: Db, userId: number): Promise<void> {
  await sql`with codes as (delete from verification_codes where user_id = ${userId}),
      control as (delete from wallet_controllers where user_id = ${userId})
    delete from account_offers where user_id = ${userId} or invited_by = ${userId} or heir_id = ${userId}`.execute(
    db,
  )
}

/** Some living users of the accounts that a user owns, the owner left out. */
export async function membersOf(db: Db, ownerId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('wallets as w', 'w.id', 'u.walletId')
    .select('u.id')
    .where('w.userId', '=', ownerId)
    .where('u.id', '!=', ownerId)
    .where('u.deletedAt', 'is', null)
    .orderBy('u.id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** True when something beside the user itself belongs to the accounts that the user owns. */
export async function ownsAccount(db: Db, userId: number): Promise<boolean> {
  const owned = sql`(select id from wallets where user_id = ${userId})`
  const { rows } = await sql<{ owns: boolean }>`select
    exists (select from users where wallet_id in ${owned} and id <> ${userId} and deleted_at is null)
    or exists (select from domains where wallet_id in ${owned} and deleted_at is null)
    or exists (select from entitlements where wallet_id in ${owned} and deleted_at is null) as owns`.execute(
    db,
  )
  return rows[0]?.owns === true
}

/** The wallets that a user owns, in the order in which they are to be held. */
export async function walletsOf(db: Db, ownerId: number): Promise<string[]> {
  const query = db.selectFrom('wallets').select('id').where('userId', '=', ownerId).orderBy('id')
  return (await query.execute()).map((row) => row.id)
}

/** The wallets that a user owns or controls, as an array that is made once for a statement. */
export function walletsUnder(userId: number): RawBuilder<unknown> {
  return sql`array(select id from wallets where user_id = ${userId}
    union select wallet_id from wallet_controllers where user_id = ${userId})`
}
