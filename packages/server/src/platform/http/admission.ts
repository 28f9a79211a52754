import type { RouteDefinition, Variant } from '@gatehouse/contract/route'
import { includesKeyScope, keyScopeOf } from '@gatehouse/contract/sessions/key-scopes'
import type { FastifyRequest } from 'fastify'
import type { Principal } from './callers/principal.ts'
import { AccountLocked, BorrowedRefused, Forbidden, KeyRefused } from './errors.ts'
import { borrowedCaller, isAdmitted, isOpenTo } from './policy.ts'
import type { LogFacts } from './request-log.ts'

const suspended = { key: 'auth.suspended' } as const

/** Throws Forbidden or KeyRefused unless a call is open to such a caller on the host. */
export function requireAdmission(
  principal: Principal,
  definition: RouteDefinition,
  request: FastifyRequest,
  variant: Variant,
): void {
  const needed = definition.scopes ?? ['api']
  if (!needed.some((scope) => principal.scopes.includes(scope))) throw new Forbidden()
  const borrowed = borrowedCaller(principal)
  if (borrowed !== undefined && !isOpenTo(borrowed, definition, variant)) throw new BorrowedRefused(borrowed)
  requireKeyScope(principal, definition, request.method)
  const isProduct = request.routeOptions.url?.startsWith('/api/v4/') ?? false
  if (isProduct && !isAdmitted(principal, variant)) throw new Forbidden()
  if (principal.isSuspended && definition.whenSuspended !== 'allowed') throw new Forbidden(suspended)
  if (principal.isLocked && definition.whenLocked !== 'allowed') throw new AccountLocked()
}

/** An API key needs the scope of the call. */
function requireKeyScope({ apiKey }: Principal, definition: RouteDefinition, method: string): void {
  if (apiKey === undefined) return
  const needed = keyScopeOf(definition, method)
  if (!includesKeyScope(apiKey.scopes, needed)) throw new KeyRefused('key-scope', needed)
}

/** Returns the properties of a caller in the log. */
export function logFactsOf({ userId, tenantId, impersonation, thirdParty, apiKey }: Principal): LogFacts {
  return {
    userId,
    tenantId,
    ...(impersonation && { via: 'staff', staffId: impersonation.staffId }),
    ...(thirdParty && { via: 'application', clientId: thirdParty.clientId }),
    ...(apiKey && { via: 'api-key', apiKeyId: apiKey.id }),
  }
}
