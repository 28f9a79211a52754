import { z } from 'zod'
import { passkeyRequest, stepUpMeans } from './sessions/proofs.ts'

/** A field's errors: one sentence, several, or sentences by index of a list input. Clients accept all three. */
export const fieldErrors = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())])

export type FieldErrors = z.infer<typeof fieldErrors>

/** Errors by the name of the request's field. */
export const errorMap = z.record(z.string(), fieldErrors)

export type ErrorMap = z.infer<typeof errorMap>

/** Body of every answer that is not a success; `errors` only with 422. */
export const errorEnvelope = z.object({
  status: z.literal('error'),
  message: z.string(),
  errors: errorMap.optional(),
  /** Of a refused authorization request: the error of RFC 6749 §4.1.2.1, and where to take it. */
  error: z.string().optional(),
  error_description: z.string().optional(),
  redirectUrl: z.string().nullable().optional(),
  /** With a 409 of an upload: the bytes that are stored, from which to go on. */
  uploaded: z.number().int().optional(),
  /** With 403: the call is open again after `POST /api/auth/step-up`. */
  stepUp: z.literal(true).optional(),
  /** What is asked for: with `stepUp`, and with a 422 at `secondfactor`. */
  factors: z.array(stepUpMeans).optional(),
  /** With a 422 at `secondfactor` of somebody who has passkeys. */
  passkey: passkeyRequest.optional(),
  /**
   * At the door of a meeting. `dismissed`: a moderator has put the caller out of it (403); `full`: somebody has to go
   * first (429). `locked`: the account has to be paid first (403). With a 422 at `short_code` of a sign-up, `used`: its
   * account is there.
   */
  reason: z.enum(['dismissed', 'full', 'locked', 'used']).optional(),
})

export type ErrorEnvelope = z.infer<typeof errorEnvelope>

/** Body of a successful action. */
export const successEnvelope = z.object({ status: z.literal('success'), message: z.string() })

export const successStatus = z.object({ status: z.literal('success') })

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const wireDate = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
