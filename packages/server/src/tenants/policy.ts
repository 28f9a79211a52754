import type { Person } from '../platform/http/callers/principal.ts'

/** A tenant is visible to its resellers and to admins only. */
export function seesTenant(principal: Person, tenantId: number): boolean {
  return principal.role === 'admin' || (principal.role === 'reseller' && principal.tenantId === tenantId)
}

/** A tenant decides on its own name and discounts. */
export function mayChangeTenant(principal: Person, tenantId: number): boolean {
  return seesTenant(principal, tenantId)
}

/** A tenant's limits are decided by the service, not by the tenant. */
export function mayChangeLimits(principal: Person): boolean {
  return principal.role === 'admin'
}

/** Anyone may verify by DNS; waiving that is up to the service. */
export function mayConfirmNames(principal: Person): boolean {
  return principal.role === 'admin'
}
