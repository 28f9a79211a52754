import type { Scope } from '@gatehouse/contract/route'
import type { Db } from '../platform/db/database.ts'
import {
  effectiveSecondFactor,
  readSecondFactorPolicy,
  type SecondFactorRules,
} from '../users/settings/second-factor-policy.ts'
import { type FactorStanding, readStanding } from './standing-store.ts'

/** Tokens of somebody who has all the factors that are required. */
export const fullScopes: readonly Scope[] = ['api']
/** Tokens of somebody who has to set up a second factor first. */
export const enrolScopes: readonly Scope[] = ['enrol']

/** Whether anything beside the password protects a user. */
export function isProtected(rules: SecondFactorRules, standing: FactorStanding): boolean {
  return standing.hasFactor || (rules.withCompanions && standing.hasCompanion)
}

/** True for who needs a second factor and has none. */
export function mustEnrol(rules: SecondFactorRules, standing: FactorStanding): boolean {
  if (isProtected(rules, standing)) return false
  const account = readSecondFactorPolicy(standing.factorPolicy)
  return effectiveSecondFactor(rules, standing.role, account).value === 'required'
}

/** The same of a user who is known by the number only. */
export async function mustUserEnrol(db: Db, rules: SecondFactorRules, userId: number): Promise<boolean> {
  const standing = await readStanding(db, userId)
  return standing !== undefined && mustEnrol(rules, standing)
}

/** Whether a user needs a second factor and has none but a companion device: the last of these is kept. */
export function hangsOnCompanions(rules: SecondFactorRules, standing: FactorStanding): boolean {
  return mustEnrol(rules, { ...standing, hasCompanion: false }) && isProtected(rules, standing)
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
