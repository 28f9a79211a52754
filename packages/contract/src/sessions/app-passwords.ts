import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'

/**
 * Passwords for programs without second factor support: one per program, with limited scopes, revocable
 * individually.
 */

/** What a program may access: reading mail, sending mail, calendars and contacts, files. */
export const appPasswordScopes = ['imap', 'smtp', 'dav', 'files'] as const

export type AppPasswordScope = (typeof appPasswordScopes)[number]

/** Maximum app passwords per user. */
export const maxAppPasswords = 50

const scopes = z.array(z.enum(appPasswordScopes))

/** The password itself is only returned at creation. */
export const appPassword = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes,
  created_at: wireDate,
  /** Null if it doesn't expire. */
  expires_at: wireDate.nullable(),
  isExpired: z.boolean(),
  /** To the minute; null if never used. */
  lastUse: z
    .object({
      at: wireDate,
      ipAddress: z.string(),
      /** ISO 3166-1; empty if unknown. */
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
      /** Username that programs sign in with. */
      username: z.string(),
      /** Mail programs may also use the account password, because there is no second factor or companion device. */
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
      /** UTC; absent or null if it doesn't expire. */
      expires_at: wireDate.nullish(),
    }),
    ok: successEnvelope.extend({
      id: z.uuid(),
      /** In groups for readability; accepted with or without the hyphens, in any case. */
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
