import type { Scope } from '@gatehouse/contract/route'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Role } from '../platform/http/callers/principal.ts'
import {
  effectiveSecondFactor,
  readSecondFactorPolicy,
  type SecondFactorRules,
} from '../users/settings/second-factor-policy.ts'

/** Tokens of somebody who has all the factors that are required. */
export const fullScopes: readonly Scope[] = ['api']
/** Tokens of somebody who has to set up a second factor first. */
export const enrolScopes: readonly Scope[] = ['enrol']

/** Whether a user (the table is called `u`) has a factor to prove. Recovery codes alone are none. */
export const hasFactor = sql<boolean>`(
  exists (select from second_factors f where f.user_id = u.id and f.active)
  or exists (select from passkeys p where p.user_id = u.id))`

/** Whether a user (the table is called `u`) has a paired companion device. */
export const hasCompanion = sql<boolean>`
  exists (select from companions c where c.user_id = u.id and c.mfa_enabled)`

/** What the account of a user (the table is called `u`) says about second factors, as it is stored. */
export const accountFactorPolicy = sql<string | null>`(
  select s.value from wallets w join user_settings s on s.user_id = w.user_id and s.key = 'second_factor_policy'
  where w.id = u.wallet_id)`

/** What `mustEnrol` has to know of a user (the table is called `u`), beside the role. */
export const standingColumns = [
  hasFactor.as('has_factor'),
  hasCompanion.as('has_companion'),
  accountFactorPolicy.as('factor_policy'),
] as const

/** What decides whether somebody has to set up a second factor. */
export interface FactorStanding {
  readonly role: Role | null
  readonly has_factor: boolean
  readonly has_companion: boolean
  readonly factor_policy: string | null
}

/** Whether anything beside the password protects a user. */
export function isProtected(rules: SecondFactorRules, standing: FactorStanding): boolean {
  return standing.has_factor || (rules.withCompanions && standing.has_companion)
}

/** True for who needs a second factor and has none. */
export function mustEnrol(rules: SecondFactorRules, standing: FactorStanding): boolean {
  if (isProtected(rules, standing)) return false
  const account = readSecondFactorPolicy(standing.factor_policy)
  return effectiveSecondFactor(rules, standing.role, account).value === 'required'
}

/** The same of a user who is known by the number only. */
export async function mustUserEnrol(db: Db, rules: SecondFactorRules, userId: number): Promise<boolean> {
  const standing = await readStanding(db, userId)
  return standing !== undefined && mustEnrol(rules, standing)
}

/** Whether a user needs a second factor and has none but a companion device: the last of these is kept. */
export function hangsOnCompanions(rules: SecondFactorRules, standing: FactorStanding): boolean {
  return mustEnrol(rules, { ...standing, has_companion: false }) && isProtected(rules, standing)
}

/** How a user stands; undefined when there is none. */
export async function readStanding(db: Db, userId: number): Promise<FactorStanding | undefined> {
  return db
    .selectFrom('users as u')
    .select('u.role')
    .select(standingColumns)
    .where('u.id', '=', userId)
    .executeTakeFirst()
}

/**
 * The scopes that tokens get in exchange for earlier ones. Who has to set up a factor by now is confined to that; who
 * no longer has to is free again, but not by a factor that another session set up: this one has not proved it.
 */
export function scopesAfter(
  rules: SecondFactorRules,
  earlier: readonly Scope[],
  standing: FactorStanding,
): readonly Scope[] {
  if (earlier.includes('api') && mustEnrol(rules, standing)) return enrolScopes
  if (earlier.includes('enrol') && !isProtected(rules, standing) && !mustEnrol(rules, standing))
    return fullScopes
  return earlier
}
