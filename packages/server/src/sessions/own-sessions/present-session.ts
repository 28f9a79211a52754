import type { EndedSession, OwnSession, SessionEnd } from '@gatehouse/contract/sessions/own-sessions'
import { wireDate } from '../../platform/clock.ts'
import type { Locator } from '../../platform/location.ts'
import type { StoredEndedSession, StoredSession } from '../tokens/session-store.ts'
import { readUserAgent } from '../user-agent.ts'

/** Maps the stored reason of a session's end. */
const ends: Readonly<Record<string, SessionEnd>> = {
  'signed out': 'signed-out',
  'ended by its user': 'ended',
  'password changed': 'password-changed',
  'second factors reset': 'factors-changed',
  'second factors changed': 'factors-changed',
  'refresh token used twice': 'token-stolen',
  lockdown: 'lockdown',
  'signed out by a controller': 'by-controller',
  'signed out by staff': 'by-staff',
  'companion removed': 'device-removed',
  'session lifetime reached': 'expired',
}

/** A session as its user sees it. */
export function presentSession(session: StoredSession, locator: Locator, currentId: string): OwnSession {
  return { ...facts(session, locator), isCurrent: session.id === currentId }
}

export function presentEndedSession(session: StoredEndedSession, locator: Locator): EndedSession {
  const { revokedReason } = session
  const end = revokedReason === null ? 'expired' : (ends[revokedReason] ?? 'other')
  return { ...facts(session, locator), ended_at: wireDate(session.endedAt), end }
}

function facts(session: StoredSession, locator: Locator): Omit<OwnSession, 'isCurrent'> {
  const { staffEmail, staffReason } = session
  return {
    id: session.id,
    device: readUserAgent(session.userAgent),
    ipAddress: session.ip,
    countryCode: locator.country(session.ip) ?? '',
    created_at: wireDate(session.createdAt),
    last_used_at: wireDate(session.lastUsedAt),
    companion: session.companion,
    staff: staffEmail === null ? null : { email: staffEmail, reason: staffReason ?? '' },
  }
}
