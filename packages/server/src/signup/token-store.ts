import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'
import { ValidationError } from '../platform/http/errors.ts'

/** A token opens one plan to whoever has it; reference api-auth §14.4. */
export interface SignupToken {
  /** In capital letters. */
  readonly token: string
  readonly planId: string
}

/** The token is unknown, of another plan, expired or used up; the answer does not say which. */
export class SignupTokenInvalid extends ValidationError {
  constructor() {
    super({ token: { key: 'validation.signuptokeninvalid' } })
  }
}

/** A token of the tenant's plans, whatever its case, as long as it can be used. */
export async function findToken(
  db: Db,
  tenantId: number,
  token: string,
  now: Date,
): Promise<SignupToken | undefined> {
  const row = await db
    .selectFrom('signup_tokens')
    .innerJoin('plans', 'plans.id', 'signup_tokens.plan_id')
    .select(['signup_tokens.token', 'signup_tokens.plan_id'])
    .where('signup_tokens.token', '=', token.toUpperCase())
    .where('plans.tenant_id', '=', tenantId)
    .where((eb) => usable(eb, now))
    .executeTakeFirst()
  return row && { token: row.token, planId: row.plan_id }
}

/**
 * Counts one account for a token, inside the transaction that creates it: who uses the same one at the same time
 * waits for that to end. Throws SignupTokenInvalid when it can no longer be used.
 */
export async function countToken(trx: Db, token: string, now: Date): Promise<void> {
  const row = await trx
    .updateTable('signup_tokens')
    .set((eb) => ({ counter: eb('counter', '+', 1) }))
    .where('token', '=', token)
    .where((eb) => usable(eb, now))
    .returning('token')
    .executeTakeFirst()
  if (row === undefined) throw new SignupTokenInvalid()
}

/** Makes a token; false when there is one of that name. `expiresAt` and `limit`: null for no end. */
export async function insertToken(
  db: Db,
  made: { token: string; planId: string; limit: number | null; expiresAt: Date | null; now: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('signup_tokens')
    .values({
      token: made.token.toUpperCase(),
      plan_id: made.planId,
      usage_limit: made.limit,
      expires_at: made.expiresAt,
      created_at: made.now,
    })
    .onConflict((conflict) => conflict.column('token').doNothing())
    .returning('token')
    .executeTakeFirst()
  return row !== undefined
}

function usable(eb: ExpressionBuilder<Schema, 'signup_tokens'>, now: Date) {
  return eb.and([
    eb.or([eb('signup_tokens.expires_at', 'is', null), eb('signup_tokens.expires_at', '>', now)]),
    eb.or([
      eb('signup_tokens.usage_limit', 'is', null),
      eb('signup_tokens.counter', '<', eb.ref('signup_tokens.usage_limit')),
    ]),
  ])
}
