import type { Person } from '../platform/http/callers/principal.ts'

/** A tenant is seen by its resellers, and by admins; to everybody else it is not there. */
export function seesTenant(principal: Person, tenantId: number): boolean {
  return principal.role === 'admin' || (principal.role === 'reseller' && principal.tenantId === tenantId)
}

/** How a tenant calls itself and what it sells at a discount is its own business. */
export function mayChangeTenant(principal: Person, tenantId: number): boolean {
  return seesTenant(principal, tenantId)
}

/** What a tenant may have at most is decided by the service, not by the tenant. */
export function mayChangeLimits(principal: Person): boolean {
  return principal.role === 'admin'
}

/** Proof by the DNS is for everybody; to go without it is a decision of the service. */
export function mayConfirmNames(principal: Person): boolean {
  return principal.role === 'admin'
}
