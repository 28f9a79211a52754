import type { Secrets } from '../../platform/secrets.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'
import type { SignInMeans } from '../sign-in/sign-in-log.ts'

/** What a client gets; lifetimes in seconds. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  /** They are good for setting up the second factor that is required, and nothing else. */
  readonly mustEnrol: boolean
}

/** A session that staff start as another user. It ends at a fixed time that no refresh extends. */
export interface Borrowed {
  readonly impersonationId: string
  readonly endsAt: Date
}

/** Where a session comes from, for the owner's list of sessions. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string
  /** The name by which a browser is known again, drawn when it has none; absent: it is none or cannot keep one. */
  readonly device?: () => string
  /** What the session was signed in with; absent: no sign-in is recorded, as for sign-ups and staff in a user's name. */
  readonly means?: SignInMeans
}

export interface TokenOptions {
  /** Without them nobody is told of sign-ins. */
  readonly devices?: SignInDevices
  /** Who needs a second factor; without them nobody does but for an account's policy. */
  readonly rules?: SecondFactorRules
  /** Without them a refresh token can never be presented twice, not even by the same client. */
  readonly secrets?: Secrets
}

/** Lifetimes; a session of 0 days ends only when it is no longer used. */
export interface SessionLife {
  /** Minutes of an access token. */
  readonly access: number
  /** Minutes of a refresh token. */
  readonly refresh: number
  /** Days of a session from its sign-in, however much it is used. */
  readonly session?: number
}
