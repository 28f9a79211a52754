import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'

export type Attempt = Selectable<Schema['authAttempts']>
export type Prompt = Selectable<Schema['signInPrompts']>

/** Origin of a sign-in. */
export interface SignInPlace {
  readonly userId: number
  readonly ip: string
  readonly service: string
  readonly userAgent: string
}

/**
 * Returns whether a user has a paired device and the decision about this address, in one query, since every
 * sign-in needs both.
 */
export async function lookAtSignIn(db: Db, userId: number, ip: string) {
  const { rows } = await sql<{
    isGuarded: boolean
    id: string | null
    status: Attempt['status'] | null
    expiresAt: Date | null
  }>`select exists (select from companions where user_id = ${userId} and mfa_enabled) as is_guarded,
      a.id, a.status, a.expires_at
    from (values (1)) one left join auth_attempts a on a.user_id = ${userId} and a.ip = ${ip}`.execute(db)
  return rows[0]
}

/** Finds or creates the attempt of an address and locks it for the rest of the transaction. */
export async function meetAttempt(db: Db, place: SignInPlace, now: Date): Promise<Attempt> {
  const seen = { service: place.service, userAgent: place.userAgent, lastSeen: now }
  return db
    .insertInto('authAttempts')
    .values({
      id: newUuid(),
      userId: place.userId,
      ip: place.ip,
      status: 'NEW',
      expiresAt: null,
      createdAt: now,
      updatedAt: now,
      ...seen,
    })
    .onConflict((conflict) => conflict.columns(['userId', 'ip']).doUpdateSet(seen))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Records a sign-in, or an attempt, from an address with a decision. */
export async function noteSeen(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('authAttempts').set({ lastSeen: now }).where('id', '=', id).execute()
}

export async function setAttempt(
  db: Db,
  id: string,
  now: Date,
  state: Pick<Attempt, 'status' | 'expiresAt'>,
): Promise<void> {
  await db
    .updateTable('authAttempts')
    .set({ ...state, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Returns an attempt with its user's tenant. */
export async function findAttempt(db: Db, id: string) {
  return db
    .selectFrom('authAttempts as a')
    .innerJoin('users as u', 'u.id', 'a.userId')
    .selectAll('a')
    .select(['u.tenantId', 'u.email'])
    .where('a.id', '=', id)
    .executeTakeFirst()
}

/** Returns attempts by id, newest first. */
export async function findAttempts(db: Db, ids: readonly string[]): Promise<Attempt[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('authAttempts')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('lastSeen', 'desc')
    .execute()
}

/** Locks an attempt for the rest of the transaction; returns false if it no longer exists. */
export async function holdAttempt(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('authAttempts')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Returns a user's attempts, most recently changed first. */
export async function listAttempts(
  db: Db,
  userId: number,
  part: { readonly limit: number; readonly offset: number },
): Promise<Attempt[]> {
  return db
    .selectFrom('authAttempts')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
}

/** Deletes all decisions about a user's addresses, including pending prompts. */
export async function clearAttempts(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('authAttempts').where('userId', '=', userId).execute()
}

export async function insertPrompt(db: Db, prompt: Omit<Prompt, 'id' | 'status'>): Promise<string> {
  const id = newUuid()
  await db
    .insertInto('signInPrompts')
    .values({ ...prompt, id, status: 'WAITING' })
    .execute()
  return id
}

export async function findPrompt(db: Db, id: string): Promise<Prompt | undefined> {
  return db.selectFrom('signInPrompts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a user's pending prompts, oldest first. */
export async function openPrompts(db: Db, userId: number, now: Date): Promise<Prompt[]> {
  return db
    .selectFrom('signInPrompts')
    .selectAll()
    .where('userId', '=', userId)
    .where('status', '=', 'WAITING')
    .where('expiresAt', '>', now)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Returns the newest prompt of an attempt, whatever its outcome. */
export async function lastPrompt(db: Db, attemptId: string): Promise<Prompt | undefined> {
  return db
    .selectFrom('signInPrompts')
    .selectAll()
    .where('attemptId', '=', attemptId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Counts sign-ins to a service since a moment that were not accepted. */
export async function countUnanswered(db: Db, userId: number, service: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('signInPrompts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('service', '=', service)
    .where('createdAt', '>', since)
    .where('status', 'in', ['WAITING', 'DENIED', 'DROPPED', 'EXPIRED'])
    .executeTakeFirstOrThrow()
  return count
}

/** Decides the pending prompts among `ids`. An accepted one can be redeemed at least until `until`. */
export async function decidePrompts(
  db: Db,
  ids: readonly string[],
  status: 'ACCEPTED' | 'DENIED',
  until: Date,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('signInPrompts')
    .set({ status, expiresAt: sql<Date>`greatest(expires_at, ${until}::timestamptz)` })
    .where('id', 'in', ids)
    .where('status', '=', 'WAITING')
    .execute()
}

/** Redeems an accepted sign-in, once. */
export async function takePrompt(db: Db, id: string, now: Date): Promise<boolean> {
  return takeOne(db, sql<SqlBool>`id = ${id}::uuid`, now)
}

/** Redeems a sign-in without a number that was accepted once while its client was away. */
export async function takeLoose(db: Db, attemptId: string, service: string, now: Date): Promise<boolean> {
  const which = sql<SqlBool>`id = (select id from sign_in_prompts
    where attempt_id = ${attemptId}::uuid and service = ${service} and secret_hash is null and number is null
      and status = 'ACCEPTED' and expires_at > ${now} limit 1 for update)`
  return takeOne(db, which, now)
}

async function takeOne(db: Db, which: ReturnType<typeof sql<SqlBool>>, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('signInPrompts')
    .set({ status: 'USED' })
    .where(which)
    .where('status', '=', 'ACCEPTED')
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/** A pending sign-in without a decision, with its origin. */
export interface UndecidedPrompt extends Pick<Prompt, 'userId' | 'service' | 'userAgent' | 'expiresAt'> {
  readonly ip: string
}

/** Abandons a pending sign-in. It stays recorded, so that repeatedly starting and abandoning also counts. */
export function dropPrompt(db: Db, id: string): Promise<UndecidedPrompt[]> {
  return closePrompts(db, 'DROPPED', sql<SqlBool>`p.id = ${id}::uuid`)
}

/** Expires sign-ins whose time is over, of one user or of all. */
export function expirePrompts(db: Db, now: Date, userId?: number): Promise<UndecidedPrompt[]> {
  const whose = userId === undefined ? sql`true` : sql`p.user_id = ${userId}`
  return closePrompts(db, 'EXPIRED', sql<SqlBool>`p.expires_at <= ${now}::timestamptz and ${whose}`)
}

function closePrompts(
  db: Db,
  status: 'DROPPED' | 'EXPIRED',
  which: ReturnType<typeof sql<SqlBool>>,
): Promise<UndecidedPrompt[]> {
  return db
    .updateTable('signInPrompts as p')
    .from('authAttempts as a')
    .set({ status })
    .whereRef('a.id', '=', 'p.attemptId')
    .where('p.status', '=', 'WAITING')
    .where(which)
    .returning(['p.userId', 'p.service', 'p.userAgent', 'p.expiresAt', 'a.ip'])
    .execute()
}

export async function purgeAttempts(db: Db, before: { attempts: Date; prompts: Date }): Promise<void> {
  await db.deleteFrom('signInPrompts').where('expiresAt', '<', before.prompts).execute()
  await db
    .deleteFrom('authAttempts')
    .where('updatedAt', '<', before.attempts)
    .where('lastSeen', '<', before.attempts)
    .execute()
}

export async function purgePairings(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('companionPairings').where('expiresAt', '<', now).execute()
}
