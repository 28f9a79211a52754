import type { BorrowedCaller, RouteDefinition, Variant } from '@gatehouse/contract/route'
import type { Person, Principal } from './callers/principal.ts'

/**
 * Rights follow the host: an admin or reseller has that role on the cockpit of the same name and nowhere else. On the
 * users' host they are an ordinary user, whatever brought them there: a session, an application, a job.
 */
export function withRightsOn<P extends Pick<Person, 'role'>>(principal: P, variant: Variant): P {
  const isAtHome = principal.role === null || principal.role === variant
  return isAtHome ? principal : { ...principal, role: null }
}

/** The hosts of staff are for staff of that kind only, an admin is no reseller; the users' host is for everybody. */
export function isAdmitted(principal: Pick<Person, 'role'>, variant: Variant): boolean {
  return variant === 'user' || principal.role === variant
}

/** Who makes a request in a user's name; undefined: the user. */
export function borrowedCaller({
  impersonation,
  thirdParty,
}: Pick<Principal, 'impersonation' | 'thirdParty'>): BorrowedCaller | undefined {
  if (impersonation !== undefined) return 'impersonated'
  return thirdParty === undefined ? undefined : 'thirdParty'
}

/** A borrowed caller gets the calls that are open to it, on the users' host. */
export function isOpenTo(
  caller: BorrowedCaller,
  { openTo }: Pick<RouteDefinition, 'openTo'>,
  variant: Variant,
): boolean {
  const callers: readonly BorrowedCaller[] = openTo ?? []
  return variant === 'user' && callers.includes(caller)
}
