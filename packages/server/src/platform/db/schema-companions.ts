import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

export interface CompanionTable {
  id: string
  user_id: number
  name: string
  /** Kept for the day on which all others are lost. */
  is_recovery: Generated<boolean>
  /** Empty until it is paired. */
  device_id: Generated<string>
  /** Paired: sign-ins of its owner are confirmed. */
  mfa_enabled: Generated<boolean>
  notification_token: ColumnType<string | null, string | null | undefined, string | null>
  /** Of Web Push, as JSON, sealed with the master secret. */
  push_subscription: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  paired_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Created
  updated_at: Date
}

export interface CompanionPairingTable {
  companion_id: string
  secret_hash: Buffer
  /** Of the short code for those who type. */
  code_hash: Buffer
  created_at: Date
  expires_at: Date
}

export interface AuthAttemptTable {
  id: string
  user_id: number
  ip: string
  status: 'NEW' | 'ACCEPTED' | 'DENIED'
  service: string
  user_agent: string
  expires_at: Date | null
  last_seen: Date
  created_at: Created
  updated_at: Date
}

export interface SignInPromptTable {
  id: string
  attempt_id: string
  user_id: number
  service: string
  user_agent: string
  /** Two digits that the program shows which signs in; null: it cannot. */
  number: string | null
  secret_hash: Buffer | null
  password_mark: Buffer | null
  status: 'WAITING' | 'ACCEPTED' | 'DENIED' | 'USED' | 'DROPPED' | 'EXPIRED'
  created_at: Created
  expires_at: Date
}
