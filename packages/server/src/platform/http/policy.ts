import type { BorrowedCaller, RouteDefinition, Variant } from '@gatehouse/contract/route'
import type { Person, Principal } from './callers/principal.ts'

/**
 * Roles depend on the host: an admin or reseller has that role only on the cockpit of the same name. On the
 * users' host they are an ordinary user, whether in a session, application or job.
 */
export function withRightsOn<P extends Pick<Person, 'role'>>(principal: P, variant: Variant): P {
  const isAtHome = principal.role === null || principal.role === variant
  return isAtHome ? principal : { ...principal, role: null }
}

/**
 * Staff hosts admit only staff of that role, and an admin isn't a reseller; the users' host admits everyone.
 */
export function isAdmitted(principal: Pick<Person, 'role'>, variant: Variant): boolean {
  return variant === 'user' || principal.role === variant
}

/** Returns who makes a request on a user's behalf; undefined: the user. */
export function borrowedCaller({
  impersonation,
  thirdParty,
  apiKey,
}: Pick<Principal, 'impersonation' | 'thirdParty' | 'apiKey'>): BorrowedCaller | undefined {
  if (impersonation !== undefined) return 'impersonated'
  if (apiKey !== undefined) return 'apiKey'
  return thirdParty === undefined ? undefined : 'thirdParty'
}

/** Borrowed callers can only use calls open to them, on the users' host. */
export function isOpenTo(
  caller: BorrowedCaller,
  { openTo }: Pick<RouteDefinition, 'openTo'>,
  variant: Variant,
): boolean {
  const callers: readonly BorrowedCaller[] = openTo ?? []
  return variant === 'user' && callers.includes(caller)
}
