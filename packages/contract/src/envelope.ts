import { z } from 'zod'
import { passkeyRequest, stepUpMeans } from './sessions/proofs.ts'

/**
 * Errors of a field: one message, several, or messages by index of a list input. Clients accept all three.
 */
export const fieldErrors = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())])

export type FieldErrors = z.infer<typeof fieldErrors>

/** Errors by name of the request field. */
export const errorMap = z.record(z.string(), fieldErrors)

export type ErrorMap = z.infer<typeof errorMap>

/**
 * Why a request with an API key was refused. With 401: the key is `key-unknown` (also after it was revoked) or
 * `key-expired`. With 400: it is in the URL. With 403: it was used from an address that isn't allowed, its person
 * or account is stopped, it lacks the scope, or the call is never open to keys.
 */
export const keyRefusals = [
  'key-unknown',
  'key-expired',
  'key-in-url',
  'key-address',
  'key-stopped',
  'key-scope',
  'key-closed',
] as const

export type KeyRefusal = (typeof keyRefusals)[number]

/** Body of every error response; `errors` only with 422. */
export const errorEnvelope = z.object({
  status: z.literal('error'),
  message: z.string(),
  errors: errorMap.optional(),
  /** The error of a rejected authorization request (RFC 6749 §4.1.2.1) and the URL to redirect to. */
  error: z.string().optional(),
  error_description: z.string().optional(),
  redirectUrl: z.string().nullable().optional(),
  /** With 409 of an upload: the number of stored bytes, from which to resume. */
  uploaded: z.number().int().optional(),
  /** With 403: the call requires `POST /api/auth/step-up` first. */
  stepUp: z.literal(true).optional(),
  /** Accepted factors: with `stepUp`, and with a 422 at `secondfactor`. */
  factors: z.array(stepUpMeans).optional(),
  /** With a 422 at `secondfactor` if the user has passkeys. */
  passkey: passkeyRequest.optional(),
  /**
   * When joining a meeting: `dismissed`: a moderator removed the caller (403); `full`: the meeting is full
   * (429); `locked`: the account has to be paid first (403). With a 422 at `short_code` of a sign-up: `used`:
   * the account already exists. With an API key: why it was refused, see `keyRefusals`.
   */
  reason: z.enum(['dismissed', 'full', 'locked', 'used', ...keyRefusals]).optional(),
  /** With a 403 because of `key-scope`: the scope that the key needs. */
  scope: z.string().optional(),
})

export type ErrorEnvelope = z.infer<typeof errorEnvelope>

/** Body of a successful action. */
export const successEnvelope = z.object({ status: z.literal('success'), message: z.string() })

export const successStatus = z.object({ status: z.literal('success') })

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const wireDate = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
