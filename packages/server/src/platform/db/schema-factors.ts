import type { Generated } from 'kysely'
import type { Created } from './column-types.ts'

export interface PasskeyTable {
  id: string
  userId: number
  /** As the authenticator chose it. */
  credentialId: Buffer
  /** COSE (RFC 9052). */
  publicKey: Buffer
  /** Of signatures; 0: the authenticator does not count. */
  counter: number
  transports: string[]
  name: string
  isBackedUp: boolean
  createdAt: Created
  lastUsedAt: Generated<Date | null>
}

/** `alone`: to sign in with a passkey and nothing else. */
export type ChallengePurpose = 'register' | 'login' | 'alone' | 'reset' | 'step-up'

export interface PasskeyChallengeTable {
  id: string
  /** The bytes to sign, base64url. */
  challenge: string
  purpose: ChallengePurpose
  /** Null: for whoever answers, as long as nobody has said who that is. */
  userId: number | null
  sessionId: string | null
  ip: string
  expiresAt: Date
}

export interface RecoveryCodeTable {
  userId: number
  /** Keyed with the master secret. */
  hash: Buffer
  createdAt: Created
  usedAt: Generated<Date | null>
}
