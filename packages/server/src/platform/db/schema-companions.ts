import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

export interface CompanionTable {
  id: string
  userId: number
  name: string
  /** Kept for the day on which all others are lost. */
  isRecovery: Generated<boolean>
  /** Empty until it is paired. */
  deviceId: Generated<string>
  /** Paired: sign-ins of its owner are confirmed. */
  mfaEnabled: Generated<boolean>
  notificationToken: ColumnType<string | null, string | null | undefined, string | null>
  /** Of Web Push, as JSON, sealed with the master secret. */
  pushSubscription: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  pairedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  lastUsedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  createdAt: Created
  updatedAt: Date
}

export interface CompanionPairingTable {
  companionId: string
  secretHash: Buffer
  /** Of the short code for those who type. */
  codeHash: Buffer
  createdAt: Date
  expiresAt: Date
}

export interface AuthAttemptTable {
  id: string
  userId: number
  ip: string
  status: 'NEW' | 'ACCEPTED' | 'DENIED'
  service: string
  userAgent: string
  expiresAt: Date | null
  lastSeen: Date
  createdAt: Created
  updatedAt: Date
}

export interface SignInPromptTable {
  id: string
  attemptId: string
  userId: number
  service: string
  userAgent: string
  /** Two digits that the program shows which signs in; null: it cannot. */
  number: string | null
  secretHash: Buffer | null
  passwordMark: Buffer | null
  status: 'WAITING' | 'ACCEPTED' | 'DENIED' | 'USED' | 'DROPPED' | 'EXPIRED'
  createdAt: Created
  expiresAt: Date
}
