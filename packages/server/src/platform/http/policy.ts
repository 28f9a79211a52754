import type { Variant } from '@gatehouse/contract/route'
import type { Person } from './principal.ts'

/** The hosts of staff are for staff of that kind only, an admin is no reseller; the users' host is for everybody. */
export function isAdmitted(principal: Pick<Person, 'role'>, variant: Variant): boolean {
  return variant === 'user' || principal.role === variant
}
