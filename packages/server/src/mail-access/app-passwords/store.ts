import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

export type StoredAppPassword = Omit<Selectable<Schema['appPasswords']>, 'secretHash'>

const columns = [
  'id',
  'userId',
  'name',
  'scopes',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'lastUsedIp',
  'lastUsedService',
] as const

/** Returns a user's app passwords, newest first. */
export function readAppPasswords(db: Db, userId: number): Promise<StoredAppPassword[]> {
  return db
    .selectFrom('appPasswords')
    .select(columns)
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function countAppPasswords(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('appPasswords')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export interface NewAppPassword {
  readonly id: string
  readonly userId: number
  readonly name: string
  readonly scopes: readonly AppPasswordScope[]
  readonly secretHash: Buffer
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export async function insertAppPassword(db: Db, made: NewAppPassword): Promise<void> {
  await db
    .insertInto('appPasswords')
    .values({
      id: made.id,
      userId: made.userId,
      name: made.name,
      scopes: [...made.scopes],
      secretHash: made.secretHash,
      createdAt: made.createdAt,
      expiresAt: made.expiresAt,
    })
    .execute()
}

/** Returns and locks a user's app password; undefined if there is none with that id. */
export function holdAppPassword(db: Db, userId: number, id: string): Promise<StoredAppPassword | undefined> {
  return db
    .selectFrom('appPasswords')
    .select(columns)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function nameAppPassword(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('appPasswords').set({ name }).where('id', '=', id).execute()
}

export async function removeAppPassword(db: Db, id: string): Promise<void> {
  await db.deleteFrom('appPasswords').where('id', '=', id).execute()
}

/** Removes a user's app passwords and returns their names. */
export async function removeAppPasswords(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('appPasswords')
    .where('userId', '=', userId)
    .returning(['name', 'id'])
    .execute()
  return rows.sort((left, right) => (left.id < right.id ? -1 : 1)).map(({ name }) => name)
}

/** Returns the app password with this hash if its user is active. */
export function findAppPassword(
  db: Db,
  userId: number,
  secretHash: Buffer,
): Promise<StoredAppPassword | undefined> {
  return db
    .selectFrom('appPasswords as p')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .select(columns.map((column) => `p.${column}` as const))
    .where('p.userId', '=', userId)
    .where('p.secretHash', '=', secretHash)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Records a use unless one was recorded since `unless`. */
export async function noteAppPasswordUse(
  db: Db,
  id: string,
  use: { readonly at: Date; readonly ip: string; readonly service: AppPasswordScope },
  unless: Date,
): Promise<void> {
  await db
    .updateTable('appPasswords')
    .set({ lastUsedAt: use.at, lastUsedIp: use.ip, lastUsedService: use.service })
    .where('id', '=', id)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<=', unless)]))
    .execute()
}

export async function removeExpiredAppPasswords(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('appPasswords').where('expiresAt', '<', before).execute()
}
