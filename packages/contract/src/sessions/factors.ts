import { z } from 'zod'
import { secondFactorPolicy } from '../directory/users.ts'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { settingSource } from '../policies.ts'
import { defineRoutes } from '../route.ts'
import {
  factorCode,
  factorProof,
  passkeyCreationOptions,
  passkeyProof,
  passkeyRegistration,
  passkeyRequest,
  stepUpMeans,
} from './proofs.ts'
import { sessionResponse } from './sessions.ts'

/** Second factors of the signed-in user; only their owner can see and change them. */

/** Maximum factors of one kind per user. */
export const maxFactors = 20

/** Recovery codes per set. */
export const recoveryCodeCount = 10

/** Seconds in which a new TOTP secret must be confirmed. */
export const totpPendingLife = 600

/** Seconds for which authentication counts as recent for calls with `stepUp`. */
export const stepUpLife = 600

const name = z.string().max(100)

const listed = {
  id: z.uuid(),
  created_at: wireDate,
  /** Null if never used. */
  last_used_at: wireDate.nullable(),
}

export const totpFactor = z.object({ ...listed, label: z.string() })

export type TotpFactor = z.infer<typeof totpFactor>

export const passkey = z.object({
  ...listed,
  name: z.string(),
  /** It is synced across the user's devices; losing a device doesn't lose it. */
  isBackedUp: z.boolean(),
})

export type Passkey = z.infer<typeof passkey>

export const factorOverview = z.object({
  totp: z.array(totpFactor),
  passkeys: z.array(passkey),
  recovery: z.object({
    left: z.number().int(),
    /** Null if there are none. */
    created_at: wireDate.nullable(),
  }),
  /** Number of paired companion devices. */
  companions: z.number().int(),
  policy: z.object({ value: secondFactorPolicy, source: settingSource }),
  /** Accepted means for this user's step-up. */
  stepUp: z.array(stepUpMeans),
  /** The last factor can't be removed, because one is required. */
  isLastKept: z.boolean(),
})

export type FactorOverview = z.infer<typeof factorOverview>

/** The first factor comes with recovery codes, returned only once. */
const enrolled = successEnvelope.extend({
  id: z.uuid(),
  recoveryCodes: z.array(z.string()).optional(),
})

const own = { auth: 'token', tag: 'Second factors' } as const
/** Also available to users who must set up a factor first. */
const enrolment = {
  ...own,
  scopes: ['api', 'enrol'],
  whenSuspended: 'allowed',
  whenLocked: 'allowed',
} as const
const id = z.object({ id: z.string().max(64) })

export const factorRoutes = defineRoutes({
  'GET /api/v4/factors': {
    ...enrolment,
    openTo: [],
    summary: "List the caller's second factors, and whether one is required",
    ok: factorOverview,
    errors: [401, 403],
  },
  'POST /api/v4/factors/totp': {
    ...enrolment,
    openTo: [],
    stepUp: true,
    summary: 'Start setting up an authenticator app (RFC 6238); it takes effect once a code is confirmed',
    body: z.object({ label: name.nullish() }),
    ok: successStatus.extend({
      id: z.uuid(),
      /** Base32, for manual entry. */
      secret: z.string(),
      /** `otpauth://totp/…` */
      uri: z.string(),
      /** The same as a QR code: `data:image/svg+xml;base64,…` */
      qrcode: z.string(),
      expires_at: wireDate,
    }),
    errors: [401, 403, 422],
  },
  'POST /api/v4/factors/totp/{id}/confirm': {
    ...enrolment,
    openTo: [],
    summary:
      "Confirm an authenticator app with one of its codes; lifts the restrictions of this session's tokens",
    params: id,
    body: z.object({ code: factorCode.min(1) }),
    ok: enrolled,
    errors: [401, 403, 404, 422, 429],
  },
  'PUT /api/v4/factors/totp/{id}': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Rename an authenticator app',
    params: id,
    body: z.object({ label: name.min(1) }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/factors/totp/{id}': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Remove an authenticator app; returns 422 at `factor` if it is the last one and one is required',
    params: id,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/factors/recovery-codes': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Create new recovery codes, returned only here; the old ones stop working',
    ok: successEnvelope.extend({ recoveryCodes: z.array(z.string()) }),
    errors: [401, 403, 422],
  },
  'POST /api/v4/factors/passkeys/options': {
    ...enrolment,
    openTo: [],
    stepUp: true,
    summary: 'Start setting up a passkey; returns options for `navigator.credentials.create`',
    ok: successStatus.extend({ challenge: z.string(), options: passkeyCreationOptions }),
    errors: [401, 403, 422],
  },
  'POST /api/v4/factors/passkeys': {
    ...enrolment,
    openTo: [],
    summary: "Register a passkey; lifts the restrictions of this session's tokens",
    body: passkeyRegistration.extend({ name: name.nullish() }),
    ok: enrolled,
    errors: [401, 403, 422],
  },
  'PUT /api/v4/factors/passkeys/{id}': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Rename a passkey',
    params: id,
    body: z.object({ name: name.min(1) }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/factors/passkeys/{id}': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Remove a passkey; returns 422 at `factor` if it is the last one and one is required',
    params: id,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },

  'POST /api/auth/passkey/options': {
    summary: 'Start a passkey sign-in; returns options for `navigator.credentials.get`',
    tag: 'Sessions',
    auth: 'public',
    ok: successStatus.extend(passkeyRequest.shape),
    errors: [429],
  },
  'POST /api/auth/passkey': {
    summary: 'Sign in with a passkey, which replaces password and second factor',
    tag: 'Sessions',
    auth: 'public',
    body: passkeyProof,
    ok: sessionResponse,
    errors: [401, 422, 429],
  },
  'POST /api/auth/step-up/options': {
    ...enrolment,
    openTo: [],
    tag: 'Sessions',
    summary: "List the methods for verifying the caller's identity, with a challenge if there are passkeys",
    ok: successStatus.extend({ factors: z.array(stepUpMeans), passkey: passkeyRequest.optional() }),
    errors: [401, 403],
  },
  'POST /api/auth/step-up': {
    ...enrolment,
    openTo: [],
    tag: 'Sessions',
    summary: "Verify the caller's identity with a second factor, or with the password if there is none",
    body: z.object({ password: z.string().max(1024).nullish(), ...factorProof }),
    ok: successStatus.extend({
      /** End of the ten minutes in which calls with `stepUp` are allowed. */
      until: wireDate,
    }),
    errors: [401, 403, 422, 429],
  },
})
