import type { Secrets } from '../../platform/secrets.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'
import type { SignInMeans } from '../sign-in/sign-in-log.ts'

/** Tokens for a client; lifetimes in seconds. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  /** Whether the tokens are limited to setting up the required second factor. */
  readonly mustEnrol: boolean
}

/** A session that staff start as another user. Refreshes don't extend its fixed end. */
export interface Borrowed {
  readonly impersonationId: string
  readonly endsAt: Date
}

/** Origin of a session, for the owner's session list. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string
  /** Returns the browser's device id, generating one if missing; absent for clients that can't keep one. */
  readonly device?: () => string
  /**
   * How the session was authenticated; if absent, no sign-in is recorded, as for sign-ups and impersonation.
   */
  readonly means?: SignInMeans
}

export interface TokenOptions {
  /** If absent, no one is notified of sign-ins. */
  readonly devices?: SignInDevices
  /** Rules for required second factors; if absent, only the account's policy applies. */
  readonly rules?: SecondFactorRules
  /** If absent, a refresh token can never be reused, not even by the same client. */
  readonly secrets?: Secrets
}

/** Lifetimes; a session of 0 days ends only when it falls out of use. */
export interface SessionLife {
  /** Lifetime of an access token in minutes. */
  readonly access: number
  /** Lifetime of a refresh token in minutes. */
  readonly refresh: number
  /** Maximum days of a session from sign-in, regardless of use. */
  readonly session?: number
}
