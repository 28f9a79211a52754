import { z } from 'zod'
import { objectId, objectIdParams } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { newPassword } from './passwords.ts'

/** Sessions of a user, and how to end them. */

/** Days for which ended sessions are listed. */
export const endedSessionDays = 30

/** Why a session ended. */
export const sessionEnds = [
  'signed-out',
  'ended',
  'expired',
  'password-changed',
  'factors-changed',
  'token-stolen',
  'lockdown',
  'by-controller',
  'by-staff',
  'device-removed',
  'other',
] as const

export type SessionEnd = (typeof sessionEnds)[number]

/** Program and operating system of a session, as stated by the client. */
export const device = z.object({
  /** Browser or other program; null if not stated. */
  program: z.string().nullable(),
  /** Operating system; null if not stated. */
  system: z.string().nullable(),
  kind: z.enum(['computer', 'phone', 'tablet', 'program']),
})

export type Device = z.infer<typeof device>

export const ownSession = z.object({
  id: z.uuid(),
  /** The session of this request. */
  isCurrent: z.boolean(),
  device,
  /** Address of the last request. */
  ipAddress: z.string(),
  /** ISO 3166-1; empty if unknown. */
  countryCode: z.string(),
  created_at: wireDate,
  /** Accurate to a few minutes. */
  last_used_at: wireDate,
  /** Name of the companion device that the session belongs to; null if none. */
  companion: z.string().nullable(),
  /** Staff who impersonate the user; null for the user's own session. */
  staff: z.object({ email: z.string(), reason: z.string() }).nullable(),
})

export type OwnSession = z.infer<typeof ownSession>

export const endedSession = ownSession
  .omit({ isCurrent: true })
  .extend({ ended_at: wireDate, end: z.enum(sessionEnds) })

export type EndedSession = z.infer<typeof endedSession>

/** What a lockdown revoked. */
export const lockdownReport = z.object({
  /** Number of ended sessions, including those of companion devices and staff. */
  sessions: z.number().int(),
  /** Names of the revoked app passwords. */
  appPasswords: z.array(z.string()),
  /** Names of the revoked API keys, including those of accounts that the user owns. */
  apiKeys: z.array(z.string()),
  /** Names of the applications whose access was revoked. */
  apps: z.array(z.string()),
  /** Names of the unpaired companion devices. */
  companions: z.array(z.string()),
  /** Number of revoked codes and links to set a password. */
  resetCodes: z.number().int(),
  isPasswordChanged: z.boolean(),
})

export type LockdownReport = z.infer<typeof lockdownReport>

const calm = { tag: 'Sessions', auth: 'token', whenSuspended: 'allowed' } as const

export const ownSessionRoutes = defineRoutes({
  'GET /api/v4/sessions': {
    ...calm,
    openTo: ['impersonated'],
    summary:
      "List the caller's sessions, most recently used first, including those that ended in the last 30 days",
    ok: z.object({
      /** The latest hundred. */
      list: z.array(ownSession),
      /** Number of open sessions. */
      count: z.number().int(),
      /** The latest fifty. */
      ended: z.array(endedSession),
      /** Days for which they are listed. */
      endedDays: z.number().int(),
    }),
    errors: [401, 403],
  },
  'DELETE /api/v4/sessions/{id}': {
    ...calm,
    openTo: [],
    summary: "End one of the caller's sessions immediately",
    params: z.object({ id: z.string().max(64) }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/sessions/revoke-others': {
    ...calm,
    openTo: [],
    summary: "End all of the caller's other sessions",
    body: z.object({}),
    ok: successEnvelope.extend({ count: z.number().int() }),
    errors: [401, 403, 422],
  },
  'POST /api/v4/users/{id}/sign-out': {
    ...calm,
    openTo: [],
    summary: 'End all sessions of a user that the caller can delete; for the caller, all but the current one',
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({}),
    ok: successEnvelope.extend({ count: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/lockdown': {
    ...calm,
    openTo: [],
    stepUp: true,
    summary:
      'Secure an account: revoke sessions, app passwords, connected applications, companion devices and password codes',
    hosts: ['user'],
    body: z.object({
      /** A user whom the caller may delete; defaults to the caller, who stays signed in. */
      user: z.union([objectId, z.string().max(32)]).nullish(),
      /** A new password for that user; unchanged if absent. */
      password: newPassword.password.nullish(),
      password_confirmation: newPassword.password_confirmation.nullish(),
    }),
    ok: successEnvelope.extend({ revoked: lockdownReport }),
    errors: [401, 403, 404, 422],
  },
})
