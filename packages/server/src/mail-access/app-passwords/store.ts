import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { AppPasswordTable } from '../../platform/db/schema-access.ts'

export type StoredAppPassword = Omit<Selectable<AppPasswordTable>, 'secret_hash'>

const columns = [
  'id',
  'user_id',
  'name',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'last_used_ip',
  'last_used_service',
] as const

/** All of a user, newest first. */
export function readAppPasswords(db: Db, userId: number): Promise<StoredAppPassword[]> {
  return db
    .selectFrom('app_passwords')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function countAppPasswords(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('app_passwords')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
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
    .insertInto('app_passwords')
    .values({
      id: made.id,
      user_id: made.userId,
      name: made.name,
      scopes: [...made.scopes],
      secret_hash: made.secretHash,
      created_at: made.createdAt,
      expires_at: made.expiresAt,
    })
    .execute()
}

/** Holds one of a user; undefined: there is none of that id. */
export function holdAppPassword(db: Db, userId: number, id: string): Promise<StoredAppPassword | undefined> {
  return db
    .selectFrom('app_passwords')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function nameAppPassword(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('app_passwords').set({ name }).where('id', '=', id).execute()
}

export async function removeAppPassword(db: Db, id: string): Promise<void> {
  await db.deleteFrom('app_passwords').where('id', '=', id).execute()
}

/** Removes all of a user; their names. */
export async function removeAppPasswords(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('app_passwords')
    .where('user_id', '=', userId)
    .returning(['name', 'id'])
    .execute()
  return rows.sort((left, right) => (left.id < right.id ? -1 : 1)).map(({ name }) => name)
}

/** The one with this hash of a user who is there. */
export function findAppPassword(
  db: Db,
  userId: number,
  secretHash: Buffer,
): Promise<StoredAppPassword | undefined> {
  return db
    .selectFrom('app_passwords as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(columns.map((column) => `p.${column}` as const))
    .where('p.user_id', '=', userId)
    .where('p.secret_hash', '=', secretHash)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Notes a use, unless one was noted since `unless`. */
export async function noteAppPasswordUse(
  db: Db,
  id: string,
  use: { readonly at: Date; readonly ip: string; readonly service: AppPasswordScope },
  unless: Date,
): Promise<void> {
  await db
    .updateTable('app_passwords')
    .set({ last_used_at: use.at, last_used_ip: use.ip, last_used_service: use.service })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', unless)]))
    .execute()
}

export async function removeExpiredAppPasswords(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('app_passwords').where('expires_at', '<', before).execute()
}
