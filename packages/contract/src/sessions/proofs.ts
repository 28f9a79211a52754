import { z } from 'zod'

/** Means of authentication besides the password; the WebAuthn types follow Level 3, §5.1. */

/** Second factors, in display order. */
export const factorKinds = ['passkey', 'totp', 'recovery'] as const

export const factorKind = z.enum(factorKinds)

export type FactorKind = z.infer<typeof factorKind>

/** What a step-up accepts: a second factor if the user has one, otherwise the password. */
export const stepUpMeans = z.enum([...factorKinds, 'password'])

export type StepUpMeans = z.infer<typeof stepUpMeans>

/** Bytes in base64url. */
const bytes = (length: number) =>
  z
    .string()
    .max(length)
    .regex(/^[\w-]*$/)

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.enum(transports)).optional(),
})

const userVerification = z.enum(['required', 'preferred', 'discouraged'])

/** `PublicKeyCredentialRequestOptionsJSON`: options for the browser. */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  /** Milliseconds. */
  timeout: z.number().int(),
  rpId: z.string(),
  /** If empty, any discoverable passkey. */
  allowCredentials: z.array(descriptor),
  userVerification,
})

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  /** Milliseconds. */
  timeout: z.number().int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification,
  }),
  attestation: z.literal('none'),
})

/**
 * A challenge to answer with a passkey, once and within five minutes; `challenge` is its ID, not its bytes.
 */
export const passkeyRequest = z.object({ challenge: z.string(), options: passkeyRequestOptions })

export type PasskeyRequest = z.infer<typeof passkeyRequest>

const credential = {
  id: bytes(2048),
  rawId: bytes(2048),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: z.record(z.string().max(64), z.unknown()).nullish(),
}

/** `AuthenticationResponseJSON`, with the ID of its challenge. */
export const passkeyProof = z.object({
  challenge: z.string().max(64),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8192),
      authenticatorData: bytes(8192),
      signature: bytes(8192),
      userHandle: bytes(256).nullish(),
    }),
  }),
})

export type PasskeyProof = z.infer<typeof passkeyProof>

/** `RegistrationResponseJSON`, with the ID of its challenge. */
export const passkeyRegistration = z.object({
  challenge: z.string().max(64),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8192),
      attestationObject: bytes(65_536),
      transports: z.array(z.string().max(32)).max(16).nullish(),
    }),
  }),
})

export type PasskeyRegistration = z.infer<typeof passkeyRegistration>

/** A TOTP code, or a recovery code. */
export const factorCode = z.string().max(64)

/** Either one proves the second factor. */
export const factorProof = { secondfactor: factorCode.nullish(), passkey: passkeyProof.nullish() }
