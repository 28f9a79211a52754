import type { Db } from '../platform/db/database.ts'
import { newUuid } from '../platform/ids.ts'

/** The hash of a user's password; undefined for a user who has none or is deleted. */
export async function passwordHashOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.password_hash ?? undefined
}

/** The same of a user who is held for the rest of the transaction. Throws NoResultError without such a user. */
export async function holdPassword(
  trx: Db,
  userId: number,
): Promise<{ password_hash: string | null; tenant_id: number }> {
  return trx
    .selectFrom('users')
    .select(['password_hash', 'tenant_id'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Stores the hash of a new password. */
export async function storePassword(trx: Db, userId: number, hash: string, now: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: hash, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

/** Stores another hash of the same password. */
export async function replacePasswordHash(db: Db, userId: number, hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
}

/** The hashes of a user's present password and of those before it, `count` at most. */
export async function lastPasswordHashes(db: Db, userId: number, count: number): Promise<string[]> {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst()
  const history = await db
    .selectFrom('password_history')
    .select('password_hash')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(count - 1)
    .execute()
  return [user?.password_hash, ...history.map((row) => row.password_hash)].filter((hash) => hash != null)
}

/** Adds a hash to the history of a user, of which the last `kept` stay. */
export async function rememberPassword(
  trx: Db,
  userId: number,
  hash: string,
  kept: number,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('password_history')
    .values({ id: newUuid(), user_id: userId, password_hash: hash, created_at: now })
    .execute()
  await trx
    .deleteFrom('password_history')
    .where('user_id', '=', userId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('password_history')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(kept),
    )
    .execute()
}

/** The password policy that the owner of a user's account has set, as it is stored. */
export async function accountPasswordPolicy(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('wallets as w', 'w.id', 'u.wallet_id')
    .innerJoin('user_settings as s', (join) =>
      join.onRef('s.user_id', '=', 'w.user_id').on('s.key', '=', 'password_policy'),
    )
    .select('s.value')
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return row?.value
}
