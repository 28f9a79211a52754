import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { defineRoutes } from '../route.ts'

/**
 * OAuth 2 and OpenID Connect: consent, connected applications, and the applications registered by staff;
 * reference api-auth §9, §10. The protocol endpoints (`/oauth/token`, `/oauth/userinfo`, …) aren't in this
 * table, because the RFCs define them.
 */

/** Scopes that an application may request. */
export const clientScopes = [
  'openid',
  'email',
  'profile',
  'offline_access',
  'auth.token',
  'api',
  'fs',
  'mfa',
] as const

export type ClientScope = (typeof clientScopes)[number]

/** Grant types available to applications. */
export const clientGrants = ['authorization_code', 'refresh_token', 'device_code'] as const

export type ClientGrant = (typeof clientGrants)[number]

/** A text per scope: what the user shares. */
const claimTexts = z.record(z.string(), z.string())

const text = (max: number) => z.string().max(max).nullish()

/**
 * The query of the authorization request (OpenID Connect Core 3.1.2.1), as passed on by the consent screen.
 */
const authorizeInput = z.object({
  client_id: text(255),
  redirect_uri: text(2048),
  response_type: text(64),
  response_mode: text(64),
  scope: text(1024),
  state: text(4096),
  nonce: text(1024),
  code_challenge: text(256),
  code_challenge_method: text(16),
  prompt: text(64),
  max_age: z.union([z.string().max(64), z.number()]).nullish(),
  login_hint: text(512),
  id_token_hint: text(8192),
  request: text(65_536),
  request_uri: text(2048),
  /** Truthy: checks silently whether the user has consented before. */
  ifSeen: z.union([z.boolean(), z.number(), z.string().max(16)]).nullish(),
  /** From an earlier `login` response: proves that the user has signed in since. */
  ticket: text(512),
})

/** An application as shown on the consent screen. */
export const consentClient = z.object({
  name: z.string(),
  /** The name under its key in the specification. */
  title: z.string(),
  /** URL that the user returns to. */
  url: z.string(),
  claims: claimTexts,
  email: z.string(),
})

export type ConsentClient = z.infer<typeof consentClient>

export const approveAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), redirectUrl: z.string() }),
  z.object({
    status: z.literal('prompt'),
    client: consentClient,
    /** Where to redirect if the user denies consent: the application's URL with the error. */
    denyUrl: z.string(),
  }),
  /** The application requires a new sign-in. */
  z.object({ status: z.literal('login'), ticket: z.string() }),
])

export type ApproveAnswer = z.infer<typeof approveAnswer>

const deviceAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('prompt'), client: consentClient.omit({ url: true }) }),
  successEnvelope,
])

/** An application connected by a user. */
export const consentItem = z.object({
  client: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  claims: claimTexts,
  /** When consent was first and last given. */
  created_at: wireDate,
  approved_at: wireDate,
  /** When it last got a token; null if never. */
  used_at: wireDate.nullable(),
})

export type ConsentItem = z.infer<typeof consentItem>

const tokenItem = z.object({
  id: z.uuid(),
  user_id: z.number().int(),
  client_id: z.uuid(),
  name: z.string().nullable(),
  scopes: z.array(z.string()),
  revoked: z.literal(false),
  created_at: wireDate,
  updated_at: wireDate,
  expires_at: wireDate,
  client: z.object({ id: z.uuid(), name: z.string() }),
})

/** An application that staff registered in this installation. */
export const oauthClient = z.object({
  id: z.uuid(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()),
  scopes: z.array(z.enum(clientScopes)),
  grants: z.array(z.enum(clientGrants)),
  /** If false, it has no secret, so every request requires PKCE (RFC 7636). */
  confidential: z.boolean(),
  id_token_alg: z.enum(['RS256', 'ES256']),
  /** Rejects requests without PKCE (RFC 9700 §2.1.1); always true for clients without a secret. */
  require_pkce: z.boolean(),
  disabled: z.boolean(),
  /** Created from the installation's settings, which overwrite its secret and URLs at each start. */
  built_in: z.boolean(),
  created_at: wireDate,
  updated_at: wireDate,
})

export type OAuthClient = z.infer<typeof oauthClient>

const uris = z.array(z.string().min(1).max(2048)).max(50)

const clientInput = z.object({
  name: z.string().min(1).max(100),
  redirect_uris: uris.nullish(),
  post_logout_redirect_uris: uris.nullish(),
  scopes: z.array(z.enum(clientScopes)).min(1).max(clientScopes.length),
  grants: z.array(z.enum(clientGrants)).min(1).max(clientGrants.length),
  id_token_alg: z.enum(['RS256', 'ES256']).nullish(),
  /** Defaults to true for a new one. */
  require_pkce: z.boolean().nullish(),
})

export type OAuthClientInput = z.infer<typeof clientInput>

const clientParams = z.object({ id: z.string() })

/** On the admin host only: applications belong to the installation. */
const admins = { tag: 'OAuth', auth: 'token', hosts: ['admin'] } as const

const own = { tag: 'OAuth', auth: 'token' } as const

export const oauthRoutes = defineRoutes({
  'POST /api/oauth/approve': {
    summary: "Check or approve an application's authorization request",
    tag: 'OAuth',
    // `prompt=none` must return an error to the application even if the user isn't signed in
    auth: 'optional',
    openTo: ['impersonated'],
    body: authorizeInput,
    // the maximum length of a URL, which the request comes from
    bodyLimit: 32 * 1024,
    ok: approveAnswer,
    errors: [401, 403, 422],
  },
  'POST /api/oauth/device': {
    ...own,
    openTo: [],
    summary: 'Check the user code of a device, or allow or deny it (RFC 8628)',
    body: z.object({
      user_code: z.string().min(1).max(64),
      /** If absent, nothing is decided and the response describes the request. */
      decision: z.enum(['allow', 'deny']).nullish(),
    }),
    ok: deviceAnswer,
    errors: [401, 403, 422, 429],
  },
  'POST /api/oauth/logout': {
    summary: "Get an application's request to sign the user out (RP-Initiated Logout)",
    tag: 'OAuth',
    auth: 'public',
    body: z.object({ request: z.string().min(1).max(16_384) }),
    bodyLimit: 20 * 1024,
    ok: z.object({
      /** Name of the application; null if it sent no client ID. */
      client: z.string().nullable(),
      /** Where to redirect afterwards; null for nowhere. */
      redirectUrl: z.string().nullable(),
    }),
    errors: [422],
  },
  'GET /oauth/tokens': {
    ...own,
    openTo: ['impersonated'],
    summary: 'List access tokens that applications hold for the caller',
    ok: z.array(tokenItem),
    errors: [401, 403],
  },
  'DELETE /oauth/tokens/{id}': {
    ...own,
    openTo: [],
    summary: "Revoke an application's access token and all tokens issued with it",
    params: clientParams,
    ok: z.null(),
    isEmpty: true,
    errors: [401, 403, 404],
  },
  'GET /api/v4/consents': {
    ...own,
    openTo: ['impersonated'],
    summary: "List applications connected to the caller's account",
    whenSuspended: 'allowed',
    ok: z.object({ list: z.array(consentItem), count: z.number().int() }),
    errors: [401, 403],
  },
  'DELETE /api/v4/consents/{client}': {
    ...own,
    openTo: [],
    summary: 'Disconnect an application; revokes its tokens, and it must ask for consent again',
    whenSuspended: 'allowed',
    params: z.object({ client: z.string() }),
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'GET /api/v4/oauth/clients': {
    ...admins,
    openTo: [],
    summary: 'List applications that can ask users for consent',
    query: pageQuery.extend({ search: text(64) }),
    ok: pagedList(oauthClient),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/oauth/clients/{id}': {
    ...admins,
    openTo: [],
    summary: 'Get an application',
    params: clientParams,
    ok: oauthClient,
    errors: [401, 403, 404],
  },
  'POST /api/v4/oauth/clients': {
    ...admins,
    openTo: [],
    stepUp: true,
    summary: 'Register an application; the secret is returned only here',
    body: clientInput.extend({ confidential: z.boolean() }),
    ok: successEnvelope.extend({ id: z.uuid(), secret: z.string().nullable() }),
    errors: [401, 403, 404, 422],
  },
  'PUT /api/v4/oauth/clients/{id}': {
    ...admins,
    openTo: [],
    stepUp: true,
    summary: 'Change an application',
    params: clientParams,
    body: clientInput.partial().extend({ disabled: z.boolean().nullish() }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/oauth/clients/{id}/secret': {
    ...admins,
    openTo: [],
    stepUp: true,
    summary: 'Create a new secret for an application; the old one stops working immediately',
    params: clientParams,
    ok: successEnvelope.extend({ secret: z.string() }),
    errors: [401, 403, 404, 409],
  },
  'DELETE /api/v4/oauth/clients/{id}': {
    ...admins,
    openTo: [],
    summary: 'Delete an application with its consents and tokens',
    params: clientParams,
    ok: successEnvelope,
    errors: [401, 403, 404, 409],
  },
  'POST /api/v4/users/{id}/login-as': {
    summary: 'Open the webmail of a user in your account; reference api-auth §10',
    tag: 'OAuth',
    auth: 'token',
    openTo: [],
    hosts: ['user'],
    params: clientParams,
    ok: z.object({ status: z.literal('success'), redirectUrl: z.string() }),
    errors: [401, 403, 404],
  },
})
