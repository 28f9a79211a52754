import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Keys that are published, those that sign latest first. */
export async function publishedKeys(db: Db, now: Date) {
  return db
    .selectFrom('oauthKeys')
    .select(['kid', 'alg', 'sealed', 'signsFrom', 'retiredAt'])
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .orderBy('signsFrom', 'desc')
    .orderBy('alg', 'desc')
    .execute()
}

/** False where another process was first: its key stays. */
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

/** Retires the keys that sign now at a moment, and publishes them until another; false when none does. */
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

/** Retires all keys and publishes none of them from now on. */
export async function withdrawKeys(trx: Db, now: Date): Promise<void> {
  await trx
    .updateTable('oauthKeys')
    .set({ retiredAt: now, expiresAt: now })
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .execute()
}

/** Whether a key that is not retired has signed since before a moment. */
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
