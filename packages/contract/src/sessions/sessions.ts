import { z } from 'zod'
import { userInfo } from '../directory/users.ts'
import { loginName } from '../email-address.ts'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { callersWithoutKeys, defineRoutes } from '../route.ts'
import { signInWaiting, stillWaiting } from './companions.ts'
import { factorProof } from './proofs.ts'

const tokens = z.object({
  status: z.literal('success'),
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
})

/** Data for the payment in a mandate-mode sign-up; specification "Checkout". */
export const checkout = z.object({
  title: z.string().optional(),
  content: z.string().optional(),
  summary: z.string().optional(),
  cost: z.number().int().optional(),
  redirectUrl: z.string().optional(),
  newWindowUrl: z.string().optional(),
  id: z.string().optional(),
})

/** Staff impersonating a user; every page shows it. */
export const impersonation = z.object({
  /** Address of the staff member. */
  email: z.string(),
  reason: z.string(),
  /** End of the session, which refreshing doesn't extend. */
  until: wireDate,
})

export type Impersonation = z.infer<typeof impersonation>

const impersonated = { impersonatedBy: impersonation.optional() }

const enrolling = {
  /** A required second factor must be set up first; until then the tokens allow nothing else. */
  mustEnrol: z.literal(true).optional(),
}

/** The signed-in user. */
export const sessionInfo = userInfo.extend({ ...impersonated, ...enrolling })

export type SessionInfo = z.infer<typeof sessionInfo>

/**
 * "Auth info" of the specification: the user with tokens. `status` is the envelope's; the bit mask is
 * `userStatus`.
 */
export const sessionResponse = userInfo
  .omit({ status: true })
  .extend(tokens.shape)
  .extend({
    ...impersonated,
    ...enrolling,
    userStatus: z.number().int(),
    /** Name of the route to open after sign-in. */
    redirect: z.string().optional(),
    checkout: checkout.optional(),
  })

export type SessionResponse = z.infer<typeof sessionResponse>

export const refreshResponse = tokens.extend(enrolling)

const refreshInput = z.object({ refresh_token: z.string().max(512).nullish() })

export const sessionRoutes = defineRoutes({
  'POST /api/auth/login': {
    summary:
      'Sign in with address and password. Returns 422 with the available second factors if one is required. If a companion device must confirm, responds within 40 seconds',
    tag: 'Sessions',
    auth: 'public',
    body: z.object({
      email: loginName,
      password: z.string().min(1).max(1024),
      ...factorProof,
      /** If a companion device must confirm: respond immediately (202) instead of waiting for it. */
      async: z.boolean().nullish(),
    }),
    ok: z.union([sessionResponse, signInWaiting]),
    accepted: signInWaiting,
    errors: [401, 422, 429, 503],
  },
  'POST /api/auth/login/attempt': {
    summary:
      'Poll a sign-in that waits for a companion device; returns the session once, or 202 while waiting',
    tag: 'Sessions',
    auth: 'public',
    body: z.object({
      attempt: z.string().min(1).max(64),
      secret: z.string().min(1).max(128),
      /** Maximum seconds to wait for a result. */
      wait: z.number().int().min(0).max(25).nullish(),
    }),
    ok: z.union([sessionResponse, stillWaiting]),
    accepted: stillWaiting,
    errors: [401, 422, 429],
  },
  'POST /api/auth/login/attempt/cancel': {
    summary: 'Cancel a sign-in that waits for a companion device',
    tag: 'Sessions',
    auth: 'public',
    body: z.object({ attempt: z.string().min(1).max(64), secret: z.string().min(1).max(128) }),
    ok: successStatus,
    errors: [401, 422, 429],
  },
  'GET /api/auth/info': {
    summary: 'Get the signed-in user',
    tag: 'Sessions',
    auth: 'token',
    openTo: callersWithoutKeys,
    scopes: ['api', 'enrol'],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    ok: sessionInfo,
    errors: [401, 403],
  },
  'POST /api/auth/info': {
    summary: 'Get the signed-in user; with `refresh`, exchange a refresh token for a new session response',
    tag: 'Sessions',
    auth: 'optional',
    openTo: callersWithoutKeys,
    scopes: ['api', 'enrol'],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    body: refreshInput.extend({ refresh: z.union([z.string(), z.boolean(), z.number()]).nullish() }),
    ok: z.union([sessionResponse, sessionInfo]),
    errors: [401, 403, 422, 429],
  },
  'POST /api/auth/login-as': {
    summary: 'Join a session that staff started as a user',
    tag: 'Sessions',
    auth: 'public',
    hosts: ['user'],
    body: z.object({ code: z.string().min(1).max(128) }),
    ok: sessionResponse,
    errors: [401, 404, 422, 429],
  },
  'POST /api/auth/refresh': {
    summary: 'Exchange a refresh token for new tokens',
    tag: 'Sessions',
    auth: 'public',
    body: refreshInput,
    ok: refreshResponse,
    errors: [401, 422, 429],
  },
  'POST /api/auth/logout': {
    summary: 'End the session of the token in the request',
    tag: 'Sessions',
    auth: 'token',
    openTo: callersWithoutKeys,
    scopes: ['api', 'enrol'],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    ok: successEnvelope,
    errors: [401, 403],
  },
  'GET /api/auth/location': {
    summary: "Get the caller's IP address and country",
    tag: 'Sessions',
    auth: 'token',
    openTo: callersWithoutKeys,
    scopes: ['api', 'enrol'],
    whenSuspended: 'allowed',
    ok: z.object({ ipAddress: z.string(), countryCode: z.string() }),
    errors: [401, 403],
  },
})
