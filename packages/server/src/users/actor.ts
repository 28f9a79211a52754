import type { Actor } from '../platform/audit.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'

/** Returns the actor of a change for the audit log. */
export function actorOf(principal: Principal, request: Pick<RequestFacts, 'ip'>): Actor {
  const { userId, email, impersonation, apiKey } = principal
  if (apiKey?.isAccount === true) return { ip: request.ip, apiKey: apiKey.name }
  const staff = impersonation && { userId: impersonation.staffId, email: impersonation.staffEmail }
  return { userId, email, ip: request.ip, ...(staff && { staff }), ...(apiKey && { apiKey: apiKey.name }) }
}
