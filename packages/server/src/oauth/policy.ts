import type { Person } from '../platform/http/callers/principal.ts'

/** Applications are made known to the whole installation, so the service's own staff decide about them. */
export function mayManageClients(principal: Person): boolean {
  return principal.role === 'admin'
}
