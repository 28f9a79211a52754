import type { Scope } from '@gatehouse/contract/route'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { sha256 } from '../../platform/secrets.ts'
import { readApplicationToken } from './access-token-store.ts'

/** Scopes that open calls of ours; the others are for the OpenID endpoints. */
const scopesOfCalls: readonly Scope[] = ['api', 'fs', 'mfa']

/**
 * The principal of an access token that an application got from somebody. It has the scopes that the token has and the
 * application may still have. What was withdrawn, disabled, suspended or deleted is worth nothing at once.
 */
export async function authenticateThirdParty(
  pool: Pool,
  clock: Clock,
  token: string,
): Promise<Principal | undefined> {
  const tokenHash = sha256(token)
  const row = await readApplicationToken(pool, tokenHash, clock.now())
  if (row === undefined) return undefined
  const scopes = scopesOfCalls.filter((scope) => row.scopes?.includes(scope) && row.allowed.includes(scope))
  return {
    ...{ userId: row.id, tenantId: row.tenant_id, email: row.email, role: row.role, status: row.status },
    ...{ isSuspended: false, isLocked: row.is_locked, sessionId: row.handle, tokenHash, scopes },
    accountVersion: row.account_version,
    // an application proves nothing in somebody's name
    authenticatedAt: null,
    thirdParty: { clientId: row.client_id, grantHash: row.grant_hash },
  }
}
