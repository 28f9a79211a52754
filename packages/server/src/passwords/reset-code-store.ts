import { type SqlBool, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { isAccountOpen } from '../users/account-lock-store.ts'

/** An active code; one created for another user is inactive until assigned. */
export const isActiveCode = sql<SqlBool>`active`

export interface NewResetCode {
  readonly id: string
  readonly hash: Buffer
  readonly active: boolean
  readonly creatorId: number | null
  readonly userId?: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertResetCode(db: Db, code: NewResetCode): Promise<void> {
  await db
    .insertInto('verificationCodes')
    .values({
      id: code.id,
      codeHash: code.hash,
      mode: 'password-reset',
      userId: code.userId ?? null,
      creatorId: code.creatorId,
      active: code.active,
      createdAt: code.createdAt,
      expiresAt: code.expiresAt,
      usedAt: null,
    })
    .execute()
}

/** Assigns a code to the user whose password it may set. */
export async function assignResetCode(db: Db, id: string, userId: number): Promise<void> {
  await db.updateTable('verificationCodes').set({ userId }).where('id', '=', id).execute()
}

/** Returns the user whose password a code may set, if that user can still sign in. */
export async function openUserOfCode(db: Db, id: string): Promise<number | undefined> {
  const user = await db
    .selectFrom('verificationCodes as c')
    .innerJoin('users as u', 'u.id', 'c.userId')
    .select('u.id')
    .where('c.id', '=', id)
    .where('u.deletedAt', 'is', null)
    .where(isAccountOpen)
    .executeTakeFirst()
  return user?.id
}

export async function ownerOfCode(db: Db, hash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('verificationCodes')
    .select('userId')
    .where('codeHash', '=', hash)
    .executeTakeFirst()
  return row?.userId ?? undefined
}

/** Returns an unused code. */
export async function findUnusedCode(
  db: Db,
  hash: Buffer,
): Promise<{ id: string; creatorId: number | null; userId: number | null } | undefined> {
  return db
    .selectFrom('verificationCodes')
    .select(['id', 'creatorId', 'userId'])
    .where('codeHash', '=', hash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
}

/** Returns an unassigned code created by a user. */
export async function findUngivenCode(
  db: Db,
  hash: Buffer,
  creatorId: number,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('verificationCodes')
    .select('id')
    .where('codeHash', '=', hash)
    .where('creatorId', '=', creatorId)
    .where('active', '=', false)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row?.id
}

/** Returns the newest valid code that one user created for another. */
export async function liveCodeOf(
  db: Db,
  userId: number,
  creatorId: number,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('verificationCodes')
    .select('id')
    .where('userId', '=', userId)
    .where('creatorId', '=', creatorId)
    .where('active', '=', true)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** Assigns a code to a user and voids the user's earlier ones; false if it was already assigned or used. */
export async function giveResetCode(db: Db, id: string, userId: number, now: Date): Promise<boolean> {
  await db
    .updateTable('verificationCodes')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('creatorId', 'is not', null)
    .where('usedAt', 'is', null)
    .execute()
  const given = await db
    .updateTable('verificationCodes')
    .set({ userId, active: true })
    .where('id', '=', id)
    .where('active', '=', false)
    .where('usedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return given !== undefined
}

/** Voids all codes that could set a user's password. */
export async function voidCodesOf(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('verificationCodes')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .execute()
}

/** Voids the valid codes of a user and those the user created for others; returns their number. */
export async function voidLiveCodes(db: Db, userId: number, now: Date): Promise<number> {
  const rows = await db
    .updateTable('verificationCodes')
    .set({ usedAt: now })
    .where((where) => where.or([where('userId', '=', userId), where('creatorId', '=', userId)]))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('id')
    .execute()
  return rows.length
}

export async function deleteResetCode(db: Db, id: string): Promise<void> {
  await db.deleteFrom('verificationCodes').where('id', '=', id).execute()
}

export async function purgeResetCodes(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('verificationCodes').where('expiresAt', '<', expiredBefore).execute()
}
