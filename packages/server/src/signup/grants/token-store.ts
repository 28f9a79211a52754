import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { likePattern } from '../../platform/db/like-pattern.ts'
import type { Localised, Schema } from '../../platform/db/schema.ts'
import { ValidationError } from '../../platform/http/errors.ts'

/** A token gives its holders access to one plan; reference api-auth §14.4. */
export interface SignupToken {
  /** In upper case. */
  readonly token: string
  readonly planId: string
}

/** The token is unknown, for another plan, expired, revoked or used up; the response doesn't say which. */
export class SignupTokenInvalid extends ValidationError {
  constructor() {
    super({ token: { key: 'validation.signuptokeninvalid' } })
  }
}

/** Returns a valid token of the tenant's plans, case-insensitively. */
export async function findToken(
  db: Db,
  tenantId: number,
  token: string,
  now: Date,
): Promise<SignupToken | undefined> {
  const row = await db
    .selectFrom('signupTokens')
    .select(['token', 'planId'])
    .where('token', '=', token.toUpperCase())
    .where('tenantId', '=', tenantId)
    .where((eb) => usable(eb, now))
    .executeTakeFirst()
  return row && { token: row.token, planId: row.planId }
}

/**
 * Counts one account for a token, inside the transaction that creates it; concurrent uses of the same token
 * wait. Throws SignupTokenInvalid if it can no longer be used.
 */
export async function countToken(trx: Db, tenantId: number, token: string, now: Date): Promise<void> {
  const row = await trx
    .updateTable('signupTokens')
    .set((eb) => ({ counter: eb('counter', '+', 1) }))
    .where('tenantId', '=', tenantId)
    .where('token', '=', token)
    .where((eb) => usable(eb, now))
    .returning('token')
    .executeTakeFirst()
  if (row === undefined) throw new SignupTokenInvalid()
}

/**
 * Creates a token; returns false if the tenant has one of that name. `expiresAt` and `limit`: null for
 * unlimited.
 */
export async function insertToken(
  db: Db,
  made: {
    tenantId: number
    token: string
    planId: string
    limit: number | null
    expiresAt: Date | null
    now: Date
  },
): Promise<boolean> {
  const row = await db
    .insertInto('signupTokens')
    .values({
      tenantId: made.tenantId,
      token: made.token.toUpperCase(),
      planId: made.planId,
      usageLimit: made.limit,
      expiresAt: made.expiresAt,
      createdAt: made.now,
    })
    .onConflict((conflict) => conflict.columns(['tenantId', 'token']).doNothing())
    .returning('token')
    .executeTakeFirst()
  return row !== undefined
}

/** A token with its plan, as shown to its creators. */
export interface ListedToken {
  readonly token: string
  readonly planTitle: string
  readonly planName: Localised
  readonly counter: number
  readonly limit: number | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly createdAt: Date
}

export type TokenState = 'usable' | 'used-up' | 'expired' | 'revoked'

/** Returns a tenant's tokens, newest first. */
export async function listTokens(
  db: Db,
  tenantId: number,
  filter: {
    readonly now: Date
    readonly search?: string | null | undefined
    readonly state?: TokenState | null | undefined
  },
  part: { readonly limit: number; readonly offset: number },
): Promise<ListedToken[]> {
  let query = db
    .selectFrom('signupTokens as t')
    .innerJoin('plans as p', 'p.id', 't.planId')
    .select(['t.token', 't.counter', 't.usageLimit', 't.expiresAt', 't.revokedAt', 't.createdAt'])
    .select(['p.title', 'p.name'])
    .where('t.tenantId', '=', tenantId)
    .orderBy('t.createdAt', 'desc')
    .orderBy('t.token')
    .limit(part.limit)
    .offset(part.offset)
  const { search, state } = filter
  if (search != null) query = query.where('t.token', 'like', likePattern(search.toUpperCase()))
  if (state != null) query = query.where(sql<TokenState>`${stateIn(filter.now)}`, '=', state)
  return (await query.execute()).map((row) => ({
    ...{ token: row.token, planTitle: row.title, planName: row.name, counter: row.counter },
    ...{ limit: row.usageLimit, expiresAt: row.expiresAt, revokedAt: row.revokedAt },
    createdAt: row.createdAt,
  }))
}

/** The first reason why a token can't be used, in SQL. */
function stateIn(now: Date) {
  return sql`case when t.revoked_at is not null then 'revoked' when t.expires_at <= ${now} then 'expired'
    when t.counter >= t.usage_limit then 'used-up' else 'usable' end`
}

/** The same for a token that was already read. */
export function tokenState(token: ListedToken, now: Date): TokenState {
  if (token.revokedAt !== null) return 'revoked'
  if (token.expiresAt !== null && token.expiresAt <= now) return 'expired'
  return token.limit !== null && token.counter >= token.limit ? 'used-up' : 'usable'
}

/** Counts a tenant's valid tokens. */
export async function countUsableTokens(db: Db, tenantId: number, now: Date): Promise<number> {
  const row = await db
    .selectFrom('signupTokens')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('tenantId', '=', tenantId)
    .where((eb) => usable(eb, now))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Whether any valid token exists for a plan. */
export async function hasUsableTokens(db: Db, planId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('signupTokens')
    .select('token')
    .where('planId', '=', planId)
    .where((eb) => usable(eb, now))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Revokes a token. Returns false if the tenant has none of that name, or it was already revoked. */
export async function revokeToken(db: Db, tenantId: number, token: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('signupTokens')
    .set({ revokedAt: now })
    .where('tenantId', '=', tenantId)
    .where('token', '=', token.toUpperCase())
    .where('revokedAt', 'is', null)
    .returning('token')
    .executeTakeFirst()
  return row !== undefined
}

/** Not revoked, expired or used up. */
function usable(eb: ExpressionBuilder<Schema, 'signupTokens'>, now: Date) {
  return eb.and([
    eb('signupTokens.revokedAt', 'is', null),
    eb.or([eb('signupTokens.expiresAt', 'is', null), eb('signupTokens.expiresAt', '>', now)]),
    eb.or([
      eb('signupTokens.usageLimit', 'is', null),
      eb('signupTokens.counter', '<', eb.ref('signupTokens.usageLimit')),
    ]),
  ])
}
