import { z } from 'zod'
import { successEnvelope, successStatus } from '../envelope.ts'
import { pagedList } from '../list.ts'
import { callersWithoutKeys, defineRoutes } from '../route.ts'

/** Companion devices and the sign-ins that they confirm; reference api-auth §7, §8. */

/** Seconds that a sign-in waits for confirmation. */
export const promptLife = 120

/**
 * Seconds that a sign-in without `async` blocks: less than the 50 s of HAProxy on Debian and the 60 s of
 * nginx, so that the caller gets our response instead of the proxy's timeout.
 */
export const blockingLife = 40

/** Seconds for which a confirmed sign-in is trusted from the same address; specification §9. */
export const confirmedLife = 8 * 3600

/** Seconds for which a denial rejects further sign-ins from that address. */
export const deniedLife = 600

/** Lifetime of a pairing secret in seconds. */
export const pairingLife = 600

/** Lifetime in seconds of a recovery device's secret, which is stored on paper. */
export const recoveryLife = 365 * 24 * 3600

/** Maximum devices per user, paired or not. */
export const maxCompanions = 20

/** Maximum concurrent pending sign-ins per user, against prompt fatigue attacks. */
export const maxPrompts = 3

/** ISO 8601 with microseconds, UTC: the date format of this API. */
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

const flag = z.union([z.literal(0), z.literal(1)])

const companion = z.object({
  id: z.uuid(),
  /** The OAuth client that the device signs in as: the device itself. */
  oauth_client_id: z.uuid().nullable(),
  user_id: z.number().int(),
  /** Always null: push endpoints are never returned. */
  notification_token: z.null(),
  /** Empty until it is paired. */
  device_id: z.string(),
  name: z.string(),
  mfa_enabled: flag,
  /** Reserved for the loss of all other devices; it never gets push messages. */
  isRecovery: z.boolean(),
  /** It receives push messages. */
  hasPush: z.boolean(),
  paired_at: moment.nullable(),
  /** Null if never used. */
  last_used_at: moment.nullable(),
  /** A valid pairing secret; null if there is none. */
  pairing: z.object({ created_at: moment, expires_at: moment }).nullable(),
  created_at: moment,
  updated_at: moment,
})

const companionItem = companion.extend({ isReady: z.boolean() })

export type CompanionItem = z.infer<typeof companionItem>

export const companionDetail = companion.extend({
  statusInfo: z.object({ isReady: z.boolean() }),
  /** Removing it turns off the confirmation of sign-ins. */
  isLast: z.boolean(),
  /** It can't be removed: a second factor is required, and it is the only one. */
  isKept: z.boolean(),
})

export type CompanionDetail = z.infer<typeof companionDetail>

export const pairing = z.object({
  serverUrl: z.string(),
  clientIdentifier: z.string(),
  /** Can be used once. */
  clientSecret: z.string(),
  companionId: z.uuid(),
  username: z.string(),
  /** QR code of the five properties above as JSON: `data:image/svg+xml;base64,…`. */
  qrcode: z.string(),
  /** Opens the companion page, with the secret in the fragment. */
  link: z.string(),
  /** QR code of the link, for a phone's camera. */
  linkQrcode: z.string(),
  /** The same as a code to type. */
  code: z.string(),
  expiresAt: moment,
})

export type Pairing = z.infer<typeof pairing>

export const attemptStatus = z.enum(['NEW', 'ACCEPTED', 'DENIED'])

const attempt = z.object({
  id: z.uuid(),
  user_id: z.number().int(),
  ip: z.string(),
  status: attemptStatus,
  /** Always null: failures before the confirmation are in the sign-in log. */
  reason: z.null(),
  /** Until when a confirmed one is trusted. */
  expires_at: moment.nullable(),
  last_seen: moment,
  created_at: moment,
  updated_at: moment,
})

const attemptItem = attempt.extend({
  /** ISO 3166-1; empty if unknown. */
  country: z.string(),
  /** The program that signed in last, and its service. */
  userAgent: z.string(),
  service: z.string(),
})

export type AuthAttempt = z.infer<typeof attemptItem>

/** A sign-in that waits for confirmation on a device. */
export const prompt = z.object({
  id: z.uuid(),
  /** `web`, or the mail service: `imap`, `smtp`, `dav`. */
  service: z.string(),
  userAgent: z.string(),
  /** The sign-in screen shows a number that must be entered to confirm. */
  hasNumber: z.boolean(),
  created_at: moment,
  expires_at: moment,
})

export type Prompt = z.infer<typeof prompt>

const waitingAttempt = attemptItem.extend({ prompts: z.array(prompt) })

export type WaitingAttempt = z.infer<typeof waitingAttempt>

/** A Web Push subscription of a browser (RFC 8030, RFC 8291). */
const subscription = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(1024),
  keys: z.object({
    p256dh: z
      .string()
      .regex(/^[\w-]{87}$/)
      .describe('Public key of the browser, base64url'),
    auth: z
      .string()
      .regex(/^[\w-]{22}$/)
      .describe('Shared authentication secret, base64url'),
  }),
})

export type PushSubscription = z.infer<typeof subscription>

/** A sign-in that waits for a device, as returned to the client that signs in. */
export const signInWaiting = z.object({
  status: z.literal('waiting'),
  /** ID and secret for `POST /api/auth/login/attempt`. */
  attempt: z.uuid(),
  secret: z.string(),
  /** Two digits to show; the user enters them on the device. */
  number: z.string(),
  expiresAt: moment,
})

/** The same for subsequent polls. */
export const stillWaiting = signInWaiting.pick({ status: true, expiresAt: true })

export type SignInWaiting = z.infer<typeof signInWaiting>

const id = z.object({ id: z.string().max(64) })
const own = { tag: 'Companions', auth: 'token', hosts: ['user'], whenSuspended: 'allowed' } as const
const device = { ...own, scopes: ['mfa'] } as const
const either = { ...own, scopes: ['mfa', 'api'] } as const
/** One line without lone surrogates. */
const line = /^[^\p{Cc}\p{Cs}]*$/u
const name = z.string().min(1).max(512).regex(line)
const deviceId = z.string().min(4).max(64).regex(line)

export const companionRoutes = defineRoutes({
  'GET /api/v4/companions': {
    ...own,
    openTo: callersWithoutKeys,
    summary: "List the caller's companion devices, oldest first",
    query: z.object({
      page: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
    }),
    ok: pagedList(companionItem),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/companions': {
    ...own,
    openTo: [],
    summary: 'Create a device to be paired',
    body: z.object({ name, recovery: z.boolean().nullish() }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/companions/{id}': {
    ...own,
    openTo: callersWithoutKeys,
    summary: "Get one of the caller's devices",
    params: id,
    ok: companionDetail,
    errors: [401, 403, 404],
  },
  'GET /api/v4/companions/{id}/pairing': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Create a new pairing secret for an unpaired device; the previous one stops working',
    params: id,
    ok: pairing,
    errors: [401, 403, 404, 409],
  },
  'DELETE /api/v4/companions/{id}': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Unpair and delete a device; without devices, sign-ins no longer need confirmation',
    params: id,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },

  'POST /api/v4/companion/pair': {
    summary: 'Exchange a pairing secret for a device session with the scope `mfa`',
    tag: 'Companions',
    auth: 'public',
    hosts: ['user'],
    body: z.object({
      /** With `secret`; alternatively `code` replaces both. */
      companionId: z.string().max(64).nullish(),
      secret: z.string().max(128).nullish(),
      code: z.string().max(64).nullish(),
      deviceId,
      /** Defaults to its name in the portal. */
      name: name.nullish(),
      /** The user's password; required (422) if the secret was stored for recovery. */
      password: z.string().max(1024).nullish(),
    }),
    ok: successStatus.extend({
      access_token: z.string(),
      refresh_token: z.string(),
      token_type: z.literal('bearer'),
      /** Seconds. */
      expires_in: z.number().int(),
      companionId: z.uuid(),
      username: z.string(),
    }),
    errors: [401, 404, 422, 429],
  },
  'POST /api/v4/companion/register': {
    ...own,
    openTo: [],
    scopes: ['mfa', 'api'],
    summary: 'Set name and push token of a device. From the first registration, sign-ins need confirmation',
    body: z.object({
      notificationToken: z.string().min(4).max(512).regex(line),
      deviceId,
      companionId: z.string().min(1).max(64),
      name,
    }),
    ok: successStatus,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/companion': {
    ...device,
    openTo: [],
    summary: 'Get the device of the session',
    ok: z.object({
      id: z.uuid(),
      name: z.string(),
      username: z.string(),
      isRecovery: z.boolean(),
      hasPush: z.boolean(),
      /** It is the only one: without it sign-ins are no longer confirmed. */
      isLast: z.boolean(),
      isKept: z.boolean(),
      /** The server's key for a push subscription (RFC 8292), base64url. */
      pushKey: z.string(),
    }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/companion/push': {
    ...device,
    openTo: [],
    summary: "Set the browser's push subscription for the device; null removes it",
    body: z.object({ subscription: subscription.nullable() }),
    ok: successStatus,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/companion/unpair': {
    ...device,
    openTo: [],
    summary: 'Unpair and delete the device of the session, as its owner can do in the portal',
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },

  'GET /api/v4/auth-attempts': {
    ...either,
    openTo: callersWithoutKeys,
    summary: "List the caller's sign-in attempts by address, most recently changed first, 10 per page",
    query: z.object({
      page: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
    }),
    ok: z.array(attemptItem),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/auth-attempts/waiting': {
    ...either,
    openTo: callersWithoutKeys,
    summary: 'List sign-in attempts waiting for a device; with `wait`, responds when the list changes',
    query: z.object({
      /** Seconds. */
      wait: z.coerce.number<string | number>().int().min(0).max(25).nullish(),
      /** `version` of the previous response. */
      version: z.string().max(64).nullish(),
    }),
    ok: z.object({ list: z.array(waitingAttempt), version: z.string() }),
    errors: [401, 403, 404, 422, 429],
  },
  'GET /api/v4/auth-attempts/{id}/details': {
    ...either,
    openTo: callersWithoutKeys,
    summary: 'Get a sign-in attempt with its country and the prompts waiting for it',
    params: id,
    ok: successStatus.extend({
      username: z.string(),
      /** ISO 3166-1; empty if unknown. */
      country: z.string(),
      entry: attempt,
      prompts: z.array(prompt),
    }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/auth-attempts/{id}/confirm': {
    ...either,
    openTo: [],
    summary: 'Confirm a sign-in attempt from a paired device or a recently verified session',
    params: id,
    body: z.object({
      /** The two digits on the sign-in screen, if it shows any (422). */
      number: z.string().max(16).nullish(),
      /** `false` confirms this sign-in only; otherwise the address is trusted for eight hours. */
      remember: z.boolean().nullish(),
    }),
    ok: successStatus,
    errors: [401, 403, 404, 422, 429],
  },
  'POST /api/v4/auth-attempts/{id}/deny': {
    ...either,
    openTo: [],
    summary: 'Deny a sign-in attempt and further attempts from its address for 10 minutes',
    params: id,
    ok: successStatus,
    errors: [401, 403, 404],
  },
})
