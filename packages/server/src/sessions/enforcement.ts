import type { Scope } from '@gatehouse/contract/route'
import type { Db } from '../platform/db/database.ts'
import {
  effectiveSecondFactor,
  readSecondFactorPolicy,
  type SecondFactorRules,
} from '../users/settings/second-factor-policy.ts'
import { type FactorStanding, readStanding } from './standing-store.ts'

/** Scopes of users who have all required factors. */
export const fullScopes: readonly Scope[] = ['api']
/** Scopes of users who must first set up a second factor. */
export const enrolScopes: readonly Scope[] = ['enrol']

/** Whether the user has any protection besides the password. */
export function isProtected(rules: SecondFactorRules, standing: FactorStanding): boolean {
  return standing.hasFactor || (rules.withCompanions && standing.hasCompanion)
}

/** Whether the user needs a second factor and has none. */
export function mustEnrol(rules: SecondFactorRules, standing: FactorStanding): boolean {
  if (isProtected(rules, standing)) return false
  const account = readSecondFactorPolicy(standing.factorPolicy)
  return effectiveSecondFactor(rules, standing.role, account).value === 'required'
}

/** The same for a user id. */
export async function mustUserEnrol(db: Db, rules: SecondFactorRules, userId: number): Promise<boolean> {
  const standing = await readStanding(db, userId)
  return standing !== undefined && mustEnrol(rules, standing)
}

/** Whether a companion device is the only second factor of a user who needs one: the last one must stay. */
export function hangsOnCompanions(rules: SecondFactorRules, standing: FactorStanding): boolean {
  return mustEnrol(rules, { ...standing, hasCompanion: false }) && isProtected(rules, standing)
}

/**
 * Returns the scopes that refreshed tokens get. Users who now must set up a factor are restricted to that;
 * users who no longer must are unrestricted again, but not because of a factor that another session set up,
 * which this session has not proved.
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
