import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'

/** Passwords for programs, which know no second factor: each for one program, for what it needs, ended by itself. */

/** What a program may be let in to: reading mail, sending mail, calendars and contacts, files. */
export const appPasswordScopes = ['imap', 'smtp', 'dav', 'files'] as const

export type AppPasswordScope = (typeof appPasswordScopes)[number]

/** App passwords that one user may have. */
export const maxAppPasswords = 50

const scopes = z.array(z.enum(appPasswordScopes))

/** The password itself is never told again. */
export const appPassword = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes,
  created_at: wireDate,
  /** Null: it does not expire. */
  expires_at: wireDate.nullable(),
  isExpired: z.boolean(),
  /** To the minute; null: it was not used yet. */
  lastUse: z
    .object({
      at: wireDate,
      ipAddress: z.string(),
      /** ISO 3166-1; empty where it is not known. */
      countryCode: z.string(),
      service: z.enum(appPasswordScopes),
    })
    .nullable(),
})

export type AppPassword = z.infer<typeof appPassword>

const name = z.string().min(1).max(100)
const own = { tag: 'App passwords', auth: 'token' } as const
const params = z.object({ id: z.string().max(64) })

export const appPasswordRoutes = defineRoutes({
  'GET /api/v4/app-passwords': {
    ...own,
    openTo: ['impersonated'],
    summary: "List the caller's app passwords, newest first, and the credentials that mail programs can use",
    ok: z.object({
      list: z.array(appPassword),
      count: z.number().int(),
      limit: z.number().int(),
      /** What programs sign in with as their user's name. */
      username: z.string(),
      /** The password of the account works in mail programs too: there is no second factor or companion. */
      isAccountPasswordAccepted: z.boolean(),
    }),
    errors: [401, 403],
  },
  'POST /api/v4/app-passwords': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Create an app password; the secret is returned only here',
    body: z.object({
      name,
      scopes: scopes.min(1).max(20),
      /** UTC; absent or null: it does not expire. */
      expires_at: wireDate.nullish(),
    }),
    ok: successEnvelope.extend({
      id: z.uuid(),
      /** In groups for reading; programs may be given it with or without the hyphens, in any case. */
      secret: z.string(),
      username: z.string(),
    }),
    errors: [401, 403, 422],
  },
  'PUT /api/v4/app-passwords/{id}': {
    ...own,
    openTo: [],
    summary: 'Rename an app password',
    params,
    body: z.object({ name }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/app-passwords/{id}': {
    ...own,
    openTo: [],
    whenSuspended: 'allowed',
    summary: 'Revoke an app password immediately',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
})
