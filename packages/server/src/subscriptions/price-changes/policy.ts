import type { Person } from '../../platform/http/callers/principal.ts'

/** An admin changes the prices of every tenant, a reseller those of the own one; other tenants are not shown. */
export function mayChangePrices(principal: Person, tenantId: number): boolean {
  return principal.role === 'admin' || (principal.role === 'reseller' && principal.tenantId === tenantId)
}

/** What a tenant owes the service is decided by the service. */
export function mayChangeFees(principal: Person): boolean {
  return principal.role === 'admin'
}
