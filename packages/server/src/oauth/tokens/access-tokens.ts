import type { Scope } from '@gatehouse/contract/route'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { sha256 } from '../../platform/secrets.ts'
import { readApplicationToken } from './access-token-store.ts'

/** Scopes that allow API calls; the others are for the OpenID endpoints. */
const scopesOfCalls: readonly Scope[] = ['api', 'fs', 'mfa']

/**
 * Returns the principal of an application's access token. Its scopes are those of the token that the
 * application still has. Revoked tokens, disabled applications and suspended or deleted users are rejected
 * immediately.
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
    // an application can't re-authenticate on behalf of a user
    authenticatedAt: null,
    thirdParty: { clientId: row.client_id, grantHash: row.grant_hash },
  }
}
