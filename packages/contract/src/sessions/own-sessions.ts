import { z } from 'zod'
import { objectId, objectIdParams } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { newPassword } from './passwords.ts'

/** Who is signed in as a user, and how to end that. */

/** Days for which ended sessions are told. */
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

/** What somebody signed in with, as far as it says itself. */
export const device = z.object({
  /** Of a browser or other program; null: it does not say. */
  program: z.string().nullable(),
  /** Of the operating system; null: it does not say. */
  system: z.string().nullable(),
  kind: z.enum(['computer', 'phone', 'tablet', 'program']),
})

export type Device = z.infer<typeof device>

export const ownSession = z.object({
  id: z.uuid(),
  /** The one that asks. */
  isCurrent: z.boolean(),
  device,
  /** Where it was used last. */
  ipAddress: z.string(),
  /** ISO 3166-1; empty where it is not known. */
  countryCode: z.string(),
  created_at: wireDate,
  /** To some minutes. */
  last_used_at: wireDate,
  /** Name of the companion device whose session it is; null: it is none. */
  companion: z.string().nullable(),
  /** Staff who are signed in as the user; null: it is the user. */
  staff: z.object({ email: z.string(), reason: z.string() }).nullable(),
})

export type OwnSession = z.infer<typeof ownSession>

export const endedSession = ownSession
  .omit({ isCurrent: true })
  .extend({ ended_at: wireDate, end: z.enum(sessionEnds) })

export type EndedSession = z.infer<typeof endedSession>

/** What a lockdown took away. */
export const lockdownReport = z.object({
  /** Sessions that ended, those of companion devices and of staff included. */
  sessions: z.number().int(),
  /** Names of the app passwords that are gone. */
  appPasswords: z.array(z.string()),
  /** Names of the applications that have lost their access. */
  apps: z.array(z.string()),
  /** Names of the companion devices that are not paired any more. */
  companions: z.array(z.string()),
  /** Codes and links to set a password that are void. */
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
      /** The newest hundred. */
      list: z.array(ownSession),
      /** All that are open. */
      count: z.number().int(),
      /** The newest fifty. */
      ended: z.array(endedSession),
      /** Days for which they are told. */
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
      /** A user whom the caller may delete; absent: the caller, who stays signed in. */
      user: z.union([objectId, z.string().max(32)]).nullish(),
      /** A new password for that user; absent: it stays. */
      password: newPassword.password.nullish(),
      password_confirmation: newPassword.password_confirmation.nullish(),
    }),
    ok: successEnvelope.extend({ revoked: lockdownReport }),
    errors: [401, 403, 404, 422],
  },
})
