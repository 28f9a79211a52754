import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Returns published keys, latest signing date first. */
export async function publishedKeys(db: Db, now: Date) {
  return db
    .selectFrom('oauthKeys')
    .select(['kid', 'alg', 'sealed', 'signsFrom', 'retiredAt'])
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .orderBy('signsFrom', 'desc')
    .orderBy('alg', 'desc')
    .execute()
}

/** Returns false if another process has already created a key, which is kept. */
export async function insertKey(
  db: Db,
  key: Omit<Insertable<Schema['oauthKeys']>, 'retiredAt' | 'expiresAt'>,
): Promise<boolean> {
  const made = await db
    .insertInto('oauthKeys')
    .values({ ...key, retiredAt: null, expiresAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('kid')
    .executeTakeFirst()
  return made !== undefined
}

/** Retires the current signing keys at one date and publishes them until another; false if there are none. */
export async function retireSigningKeys(
  trx: Db,
  now: Date,
  { at, until }: { readonly at: Date; readonly until: Date },
): Promise<boolean> {
  const signing = await trx
    .updateTable('oauthKeys')
    .set({ retiredAt: at, expiresAt: until })
    .where('retiredAt', 'is', null)
    .where('signsFrom', '<=', now)
    .returning('kid')
    .execute()
  return signing.length > 0
}

/** Retires all keys and stops publishing them. */
export async function withdrawKeys(trx: Db, now: Date): Promise<void> {
  await trx
    .updateTable('oauthKeys')
    .set({ retiredAt: now, expiresAt: now })
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .execute()
}

/** Returns whether a key that isn't retired has been signing since before a date. */
export async function hasKeyFrom(db: Db, before: Date): Promise<boolean> {
  const old = await db
    .selectFrom('oauthKeys')
    .select('kid')
    .where('retiredAt', 'is', null)
    .where('signsFrom', '<', before)
    .executeTakeFirst()
  return old !== undefined
}

export async function purgeKeys(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oauthKeys').where('expiresAt', '<', now).execute()
}
