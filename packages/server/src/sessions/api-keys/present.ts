import type { ApiKey } from '@gatehouse/contract/sessions/api-keys'
import { wireDate } from '../../platform/clock.ts'
import type { Locator } from '../../platform/location.ts'
import type { StoredApiKey } from './store.ts'

/** Presents an API key without its secret. */
export function presentApiKey(row: StoredApiKey, locator: Locator, now: Date): ApiKey {
  const { lastUsedAt: at, lastUsedIp: ip } = row
  return {
    id: row.id,
    kind: row.walletId === null ? 'personal' : 'account',
    name: row.name,
    prefix: `gh_${row.prefix}`,
    scopes: row.scopes,
    networks: row.networks,
    created_at: wireDate(row.createdAt),
    createdBy: row.creator,
    expires_at: row.expiresAt && wireDate(row.expiresAt),
    isExpired: row.expiresAt !== null && row.expiresAt <= now,
    previousUntil: row.previousUntil && wireDate(row.previousUntil),
    lastUse:
      at === null || ip === null
        ? null
        : { at: wireDate(at), ipAddress: ip, countryCode: locator.country(ip) ?? '' },
  }
}
