import { z } from 'zod'
import { objectIdParams } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'

/** Secrets with which programs call the API: limited in scopes, networks and time. */

/**
 * `personal`: acts for the person who created it. `account`: acts for the account, with the rights of its
 * current owner.
 */
export const apiKeyKinds = ['personal', 'account'] as const

export type ApiKeyKind = (typeof apiKeyKinds)[number]

/** Maximum API keys per person, and per account. */
export const maxApiKeys = 50

/** Longest time in hours for which the previous secret stays valid after a rotation. */
export const maxOverlapHours = 168

/** Days before its expiry when a key's owner is notified. */
export const keyNoticeDays = 7

const name = z.string().trim().min(1).max(100)
const scopes = z.array(z.string().max(64)).min(1).max(100)
/** Addresses and networks that may use the key; empty: any. */
const networks = z.array(z.string().trim().max(50)).max(50)

/** The secret itself is only returned at creation and rotation. */
export const apiKey = z.object({
  id: z.uuid(),
  kind: z.enum(apiKeyKinds),
  name: z.string(),
  /** The beginning of the current secret, by which it is recognised. */
  prefix: z.string(),
  scopes: z.array(z.string()),
  networks: z.array(z.string()),
  created_at: wireDate,
  /** Address of the person who created it; null if that person was deleted. */
  createdBy: z.string().nullable(),
  /** Null if it doesn't expire. */
  expires_at: wireDate.nullable(),
  isExpired: z.boolean(),
  /** End of the previous secret after a rotation; null if only one secret is valid. */
  previousUntil: wireDate.nullable(),
  /** To the minute; null if never used. */
  lastUse: z
    .object({
      at: wireDate,
      ipAddress: z.string(),
      /** ISO 3166-1; empty if unknown. */
      countryCode: z.string(),
    })
    .nullable(),
})

export type ApiKey = z.infer<typeof apiKey>

/** A group of calls for which keys have scopes. */
export const apiKeyGroup = z.object({
  group: z.string(),
  accesses: z.array(z.enum(['read', 'write'])),
  /** Not available to keys of an account. */
  isPersonal: z.boolean(),
})

export type ApiKeyGroup = z.infer<typeof apiKeyGroup>

const own = { tag: 'API keys', auth: 'token', hosts: ['user'] } as const
const params = z.object({ id: z.string().max(64) })
const secret = successEnvelope.extend({
  id: z.uuid(),
  /** Sent as `Authorization: Bearer <key>`; can't be shown again. */
  key: z.string(),
})

const staff = { tag: 'Staff', auth: 'token', hosts: ['admin', 'reseller'] } as const

export const apiKeyRoutes = defineRoutes({
  'GET /api/v4/api-keys': {
    ...own,
    openTo: ['impersonated'],
    summary: "List the caller's API keys and those of the account, newest first, and the available scopes",
    ok: z.object({
      list: z.array(apiKey),
      count: z.number().int(),
      /** Keys of the account; null if the caller doesn't control it. */
      account: z.object({ list: z.array(apiKey), canCreate: z.boolean() }).nullable(),
      limit: z.number().int(),
      groups: z.array(apiKeyGroup),
      /** Requests that a key may make each minute. */
      requestsPerMinute: z.number().int(),
      /** Most days until a new key expires; null if it may never expire. */
      maxDays: z.number().int().nullable(),
    }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/api-keys': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Create an API key; the key itself is returned only here',
    body: z.object({
      kind: z.enum(apiKeyKinds),
      name,
      scopes,
      networks: networks.nullish(),
      /** UTC; null if it doesn't expire. */
      expires_at: wireDate.nullable(),
    }),
    ok: secret,
    errors: [401, 403, 404, 422],
  },
  'PUT /api/v4/api-keys/{id}': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: "Change an API key's name or networks",
    params,
    body: z.object({ name: name.optional(), networks: networks.optional() }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/api-keys/{id}/rotate': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: "Replace an API key's secret; the previous one stays valid for the given hours",
    params,
    body: z.object({
      overlapHours: z.number().int().min(0).max(maxOverlapHours),
      /** The key's new expiry; absent: unchanged. */
      expires_at: wireDate.nullish(),
    }),
    ok: secret,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/api-keys/{id}': {
    ...own,
    openTo: [],
    whenSuspended: 'allowed',
    summary: 'Revoke an API key immediately',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'GET /api/v4/users/{id}/api-keys': {
    ...staff,
    openTo: [],
    summary: "List a customer's API keys, and those of the account if the customer owns it",
    params: objectIdParams,
    ok: z.object({ list: z.array(apiKey), count: z.number().int() }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/users/{id}/api-keys/{key}/revoke': {
    ...staff,
    openTo: [],
    summary: "Revoke a customer's API key",
    params: objectIdParams.extend({ key: z.string().max(64) }),
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
})
