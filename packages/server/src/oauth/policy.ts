import type { Person } from '../platform/http/callers/principal.ts'

/** Applications belong to the whole installation, so only the operator's staff can manage them. */
export function mayManageClients(principal: Person): boolean {
  return principal.role === 'admin'
}
