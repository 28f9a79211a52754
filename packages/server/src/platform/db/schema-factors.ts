import type { Generated } from 'kysely'
import type { Created } from './column-types.ts'

export interface PasskeyTable {
  id: string
  user_id: number
  /** As the authenticator chose it. */
  credential_id: Buffer
  /** COSE (RFC 9052). */
  public_key: Buffer
  /** Of signatures; 0: the authenticator does not count. */
  counter: number
  transports: string[]
  name: string
  is_backed_up: boolean
  created_at: Created
  last_used_at: Generated<Date | null>
}

/** `alone`: to sign in with a passkey and nothing else. */
export type ChallengePurpose = 'register' | 'login' | 'alone' | 'reset' | 'step-up'

export interface PasskeyChallengeTable {
  id: string
  /** The bytes to sign, base64url. */
  challenge: string
  purpose: ChallengePurpose
  /** Null: for whoever answers, as long as nobody has said who that is. */
  user_id: number | null
  session_id: string | null
  ip: string
  expires_at: Date
}

export interface RecoveryCodeTable {
  user_id: number
  /** Keyed with the master secret. */
  hash: Buffer
  created_at: Created
  used_at: Generated<Date | null>
}
