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

/** A device without anything that would reach or open it. */
export function presentCompanion(row: Companion): Omit<CompanionItem, 'isReady'> {
  const { pairing_from: from, pairing_until: until } = row
  return {
    id: row.id,
    oauth_client_id: row.id,
    user_id: row.user_id,
    notification_token: null,
    device_id: row.device_id,
    name: row.name,
    mfa_enabled: row.mfa_enabled ? 1 : 0,
    isRecovery: row.is_recovery,
    hasPush: row.has_push,
    paired_at: optionalMoment(row.paired_at),
    last_used_at: optionalMoment(row.last_used_at),
    pairing:
      from === null || until === null
        ? null
        : { created_at: presentMoment(from), expires_at: presentMoment(until) },
    created_at: presentMoment(row.created_at),
    updated_at: presentMoment(row.updated_at),
  }
}

export function presentEntry(row: Attempt): Omit<AuthAttempt, 'country' | 'service' | 'userAgent'> {
  return {
    id: row.id,
    user_id: row.user_id,
    ip: row.ip,
    status: row.status,
    reason: null,
    expires_at: optionalMoment(row.expires_at),
    last_seen: presentMoment(row.last_seen),
    created_at: presentMoment(row.created_at),
    updated_at: presentMoment(row.updated_at),
  }
}

export function presentAttempt(row: Attempt, locator: Locator): AuthAttempt {
  return {
    ...presentEntry(row),
    country: locator.country(row.ip) ?? '',
    userAgent: row.user_agent,
    service: row.service,
  }
}

export function presentPrompt(row: Prompt): WirePrompt {
  return {
    id: row.id,
    service: row.service,
    userAgent: row.user_agent,
    hasNumber: row.number !== null,
    created_at: presentMoment(row.created_at),
    expires_at: presentMoment(row.expires_at),
  }
}
