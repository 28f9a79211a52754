import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'

/** Locks a user until the transaction ends; returns false if there is none or it is deleted. */
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

/** Locks a deleted user until the transaction ends; returns false if the user isn't deleted. */
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

/** Returns a user's tenant. Throws NoResultError if the user doesn't exist. */
export async function tenantOf(db: Db, userId: number): Promise<number> {
  const query = db.selectFrom('users').select('tenantId').where('id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).tenantId
}

/** Returns a user's stored language. */
export async function languageOf(db: Db, userId: number): Promise<string | null | undefined> {
  const query = db.selectFrom('users').select('language').where('id', '=', userId)
  return (await query.executeTakeFirst())?.language
}

/** Updates a user's modification time. */
export async function touchUser(db: Db, clock: Clock, userId: number): Promise<void> {
  await db.updateTable('users').set({ updatedAt: clock.now() }).where('id', '=', userId).execute()
}

/** Marks a user as deleted; returns false if they already are. */
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

/**
 * Revokes what others granted a user: password links, control of accounts, and offers of it, including those
 * the user made.
 */
export async function withdrawTrust(db: Db, userId: number): Promise<void> {
  await sql`with codes as (delete from verification_codes where user_id = ${userId}),
      control as (delete from wallet_controllers where user_id = ${userId})
    delete from account_offers where user_id = ${userId} or invited_by = ${userId} or heir_id = ${userId}`.execute(
    db,
  )
}

/** Returns some active users of the accounts a user owns, except the owner. */
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

/** Whether the accounts a user owns contain anything besides the user. */
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

/** Returns the wallets a user owns, in lock order. */
export async function walletsOf(db: Db, ownerId: number): Promise<string[]> {
  const query = db.selectFrom('wallets').select('id').where('userId', '=', ownerId).orderBy('id')
  return (await query.execute()).map((row) => row.id)
}

/** The wallets a user owns or controls, as an array computed once per statement. */
export function walletsUnder(userId: number): RawBuilder<unknown> {
  return sql`array(select id from wallets where user_id = ${userId}
    union select wallet_id from wallet_controllers where user_id = ${userId})`
}
