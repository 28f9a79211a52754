import { hasBit, userStatus } from '@gatehouse/contract/status'
import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import { isSecret, readApiKey } from '../../platform/http/callers/api-key-format.ts'
import { networkList } from '../../platform/http/callers/network-list.ts'
import type { Principal, RequestQuota } from '../../platform/http/callers/principal.ts'
import { quotaHeaders, quotaPeriod } from '../../platform/http/callers/quota-headers.ts'
import { KeyRefused, TooManyRequests } from '../../platform/http/errors.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { mustEnrol } from '../enforcement.ts'
import { countRequest, findApiKey, type KeyRow, noteApiKeyUse } from './store.ts'

/** Seconds between recorded uses. */
const noteEvery = minute

export interface ApiKeyCallerParts {
  readonly db: Db
  readonly clock: Clock
  readonly rules: SecondFactorRules
  /** Requests that a key may make each minute. */
  readonly rate: number
}

/**
 * Identifies callers with API keys. Nothing is cached: a revoked key, or a key of a suspended person, is refused
 * at the next request in every process.
 */
export class ApiKeyCallers {
  readonly #parts: ApiKeyCallerParts

  constructor(parts: ApiKeyCallerParts) {
    this.#parts = parts
  }

  /**
   * Returns the principal of an API key. Throws KeyRefused if the key is invalid, expired, stopped, or used from
   * an address that isn't allowed, and TooManyRequests if its requests are used up.
   */
  async authenticate(token: string, from: Pick<RequestFacts, 'ip' | 'provenIp'>): Promise<Principal> {
    const { db, clock } = this.#parts
    const now = clock.now()
    const parts = readApiKey(token)
    const row = parts && (await findApiKey(db, parts.prefix, now))
    if (parts === undefined || row === undefined || !isSecret(parts.secret, row.secretHash)) {
      throw new KeyRefused('key-unknown')
    }
    if (row.expiresAt !== null && row.expiresAt <= now) throw new KeyRefused('key-expired')
    if (!isAllowed(row.networks, from)) throw new KeyRefused('key-address')
    if (this.#isStopped(row)) throw new KeyRefused('key-stopped')
    const quota = await this.#spend(row.keyId, now)
    await this.#note(row, from.ip, now)
    return principalOf(row, quota)
  }

  /**
   * Keys stop with their person and account, and a person's keys also while the person must set up a second
   * factor.
   */
  #isStopped(row: KeyRow): boolean {
    const stopped = [userStatus.suspended, userStatus.degraded, userStatus.deleted]
    const statuses = [row.status, row.ownerStatus ?? 0]
    if (row.isLocked || statuses.some((status) => stopped.some((bit) => hasBit(status, bit)))) return true
    return !row.isAccount && mustEnrol(this.#parts.rules, row)
  }

  async #spend(keyId: string, now: Date): Promise<RequestQuota> {
    const { db, rate: limit } = this.#parts
    const { requests, beganAt } = await countRequest(db, keyId, now, after(now, -quotaPeriod))
    const ends = after(beganAt, quotaPeriod).getTime()
    const reset = Math.min(quotaPeriod, Math.max(1, Math.ceil((ends - now.getTime()) / 1000)))
    const quota = { limit, left: Math.max(0, limit - requests), reset }
    if (requests > limit) throw new TooManyRequests(reset, quotaHeaders(quota))
    return quota
  }

  async #note({ keyId, lastUsedAt }: KeyRow, ip: string, at: Date): Promise<void> {
    const unless = after(at, -noteEvery)
    if (lastUsedAt !== null && lastUsedAt > unless) return
    await noteApiKeyUse(this.#parts.db, keyId, { at, ip }, unless)
  }
}

function isAllowed(networks: readonly string[], { provenIp }: Pick<RequestFacts, 'provenIp'>): boolean {
  if (networks.length === 0) return true
  const ip = provenIp()
  return ip !== undefined && networkList(networks)(ip)
}

function principalOf(row: KeyRow, quota: RequestQuota): Principal {
  return {
    userId: row.id,
    tenantId: row.tenantId,
    email: row.email,
    role: row.role,
    status: row.status,
    isSuspended: false,
    isLocked: false,
    sessionId: row.keyId,
    tokenHash: row.secretHash,
    scopes: ['api'],
    accountVersion: row.accountVersion,
    // a program can't re-authenticate
    authenticatedAt: null,
    apiKey: {
      id: row.keyId,
      name: row.name,
      isAccount: row.isAccount,
      scopes: row.keyScopes,
      quota,
    },
  }
}
