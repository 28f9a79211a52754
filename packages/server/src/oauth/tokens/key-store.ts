import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Keys that are published, those that sign latest first. */
export async function publishedKeys(db: Db, now: Date) {
  return db
    .selectFrom('oauth_keys')
    .select(['kid', 'alg', 'sealed', 'signs_from', 'retired_at'])
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('signs_from', 'desc')
    .orderBy('alg', 'desc')
    .execute()
}

/** False where another process was first: its key stays. */
export async function insertKey(
  db: Db,
  key: Omit<Insertable<Schema['oauth_keys']>, 'retired_at' | 'expires_at'>,
): Promise<boolean> {
  const made = await db
    .insertInto('oauth_keys')
    .values({ ...key, retired_at: null, expires_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('kid')
    .executeTakeFirst()
  return made !== undefined
}

/** Retires the keys that sign now at a moment, and publishes them until another; false when none does. */
export async function retireSigningKeys(
  trx: Db,
  now: Date,
  { at, until }: { readonly at: Date; readonly until: Date },
): Promise<boolean> {
  const signing = await trx
    .updateTable('oauth_keys')
    .set({ retired_at: at, expires_at: until })
    .where('retired_at', 'is', null)
    .where('signs_from', '<=', now)
    .returning('kid')
    .execute()
  return signing.length > 0
}

/** Retires all keys and publishes none of them from now on. */
export async function withdrawKeys(trx: Db, now: Date): Promise<void> {
  await trx
    .updateTable('oauth_keys')
    .set({ retired_at: now, expires_at: now })
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute()
}

/** Whether a key that is not retired has signed since before a moment. */
export async function hasKeyFrom(db: Db, before: Date): Promise<boolean> {
  const old = await db
    .selectFrom('oauth_keys')
    .select('kid')
    .where('retired_at', 'is', null)
    .where('signs_from', '<', before)
    .executeTakeFirst()
  return old !== undefined
}

export async function purgeKeys(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oauth_keys').where('expires_at', '<', now).execute()
}
