import type {
  AuthAttempt,
  CompanionItem,
  Prompt as WirePrompt,
} from '@gatehouse/contract/sessions/companions'
import type { Locator } from '../../platform/location.ts'
import type { Attempt, Prompt } from './attempt-store.ts'
import type { Companion } from './companion-store.ts'

/** ISO 8601 with microseconds. */
export function presentMoment(moment: Date): string {
  return moment.toISOString().replace('Z', '000Z')
}

function optionalMoment(moment: Date | null): string | null {
  return moment === null ? null : presentMoment(moment)
}

/** A device without its secrets and push targets. */
export function presentCompanion(row: Companion): Omit<CompanionItem, 'isReady'> {
  const { pairingFrom: from, pairingUntil: until } = row
  return {
    id: row.id,
    oauth_client_id: row.id,
    user_id: row.userId,
    notification_token: null,
    device_id: row.deviceId,
    name: row.name,
    mfa_enabled: row.mfaEnabled ? 1 : 0,
    isRecovery: row.isRecovery,
    hasPush: row.hasPush,
    paired_at: optionalMoment(row.pairedAt),
    last_used_at: optionalMoment(row.lastUsedAt),
    pairing:
      from === null || until === null
        ? null
        : { created_at: presentMoment(from), expires_at: presentMoment(until) },
    created_at: presentMoment(row.createdAt),
    updated_at: presentMoment(row.updatedAt),
  }
}

export function presentEntry(row: Attempt): Omit<AuthAttempt, 'country' | 'service' | 'userAgent'> {
  return {
    id: row.id,
    user_id: row.userId,
    ip: row.ip,
    status: row.status,
    reason: null,
    expires_at: optionalMoment(row.expiresAt),
    last_seen: presentMoment(row.lastSeen),
    created_at: presentMoment(row.createdAt),
    updated_at: presentMoment(row.updatedAt),
  }
}

export function presentAttempt(row: Attempt, locator: Locator): AuthAttempt {
  return {
    ...presentEntry(row),
    country: locator.country(row.ip) ?? '',
    userAgent: row.userAgent,
    service: row.service,
  }
}

export function presentPrompt(row: Prompt): WirePrompt {
  return {
    id: row.id,
    service: row.service,
    userAgent: row.userAgent,
    hasNumber: row.number !== null,
    created_at: presentMoment(row.createdAt),
    expires_at: presentMoment(row.expiresAt),
  }
}
