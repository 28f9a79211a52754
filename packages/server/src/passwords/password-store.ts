import type { Db } from '../platform/db/database.ts'
import { newUuid } from '../platform/ids.ts'

/** Returns the hash of a user's password; undefined if the user has none or is deleted. */
export async function passwordHashOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.passwordHash ?? undefined
}

/**
 * Same as `passwordHashOf`, locking the user until the transaction ends. Throws NoResultError if there is no
 * such user.
 */
export async function holdPassword(
  trx: Db,
  userId: number,
): Promise<{ passwordHash: string | null; tenantId: number }> {
  return trx
    .selectFrom('users')
    .select(['passwordHash', 'tenantId'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Stores the hash of a new password. */
export async function storePassword(trx: Db, userId: number, hash: string, now: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set({ passwordHash: hash, updatedAt: now })
    .where('id', '=', userId)
    .execute()
}

/** Replaces the hash of the same password. */
export async function replacePasswordHash(db: Db, userId: number, hash: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash: hash }).where('id', '=', userId).execute()
}

/** Returns the hashes of a user's current and previous passwords, at most `count`. */
export async function lastPasswordHashes(db: Db, userId: number, count: number): Promise<string[]> {
  const user = await db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirst()
  const history = await db
    .selectFrom('passwordHistory')
    .select('passwordHash')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(count - 1)
    .execute()
  return [user?.passwordHash, ...history.map((row) => row.passwordHash)].filter((hash) => hash != null)
}

/** Adds a hash to a user's history and keeps the latest `kept`. */
export async function rememberPassword(
  trx: Db,
  userId: number,
  hash: string,
  kept: number,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('passwordHistory')
    .values({ id: newUuid(), userId, passwordHash: hash, createdAt: now })
    .execute()
  await trx
    .deleteFrom('passwordHistory')
    .where('userId', '=', userId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('passwordHistory')
        .select('id')
        .where('userId', '=', userId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(kept),
    )
    .execute()
}

/** Returns the stored password policy set by the owner of a user's account. */
export async function accountPasswordPolicy(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('wallets as w', 'w.id', 'u.walletId')
    .innerJoin('userSettings as s', (join) =>
      join.onRef('s.userId', '=', 'w.userId').on('s.key', '=', 'password_policy'),
    )
    .select('s.value')
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return row?.value
}
