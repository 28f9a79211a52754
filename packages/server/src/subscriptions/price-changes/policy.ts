import type { Person } from '../../platform/http/callers/principal.ts'

/** Admins may change prices of all tenants, resellers those of their own; other tenants aren't visible. */
export function mayChangePrices(principal: Person, tenantId: number): boolean {
  return principal.role === 'admin' || (principal.role === 'reseller' && principal.tenantId === tenantId)
}

/** Only the service decides what a tenant owes it. */
export function mayChangeFees(principal: Person): boolean {
  return principal.role === 'admin'
}
