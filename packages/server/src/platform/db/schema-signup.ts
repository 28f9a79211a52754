import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'
import type { Localised } from './schema.ts'

export interface SignupCodeTable {
  id: string
  codeHash: Buffer
  tenantId: number
  planId: string
  /** The address that the code proves; null where a token was shown instead. */
  email: string | null
  token: string | null
  firstName: string | null
  lastName: string | null
  voucher: string | null
  referral: string | null
  language: string
  ip: string
  verifyIp: string | null
  submitIp: string | null
  userAgent: string
  attempts: Generated<number>
  userId: number | null
  createdAt: Created
  expiresAt: Date
  usedAt: Date | null
}

export interface SignupTokenTable {
  tenantId: number
  /** In capital letters; unique in the tenant. */
  token: string
  planId: string
  /** Accounts that were made with it. */
  counter: Generated<number>
  usageLimit: number | null
  expiresAt: Date | null
  revokedAt: Generated<Date | null>
  createdAt: Created
}

export interface SignupInvitationTable {
  id: string
  tenantId: number
  email: string
  /** 1 new, 2 sent, 4 failed, 8 completed. */
  status: number
  userId: number | null
  createdAt: Created
  updatedAt: Date
  expiresAt: Date
  /** Why it could not be sent. */
  error: Generated<string | null>
  firstName: Generated<string | null>
  lastName: Generated<string | null>
}

export interface DiscountTable {
  id: string
  tenantId: number
  /** With which people claim it when they sign up; null: they cannot. */
  code: string | null
  discount: number
  description: ColumnType<Localised, string, string>
  active: boolean
  expiresAt: Generated<Date | null>
  usageLimit: Generated<number | null>
  /** Accounts that were made with the code. */
  usageCount: Generated<number>
}

export interface ReferralProgramTable {
  id: string
  tenantId: number
  active: boolean
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  /** Cents. */
  awardAmount: Generated<number>
  /** Cents. */
  paymentsThreshold: Generated<number>
  discountId: string | null
  /** Raised by the database with every change. */
  revision: Generated<number>
  createdAt: Created
  updatedAt: Date
}

export interface ReferralCodeTable {
  code: string
  userId: number
  programId: string
  createdAt: Created
}

export interface ReferralTable {
  id: string
  code: string
  /** Who signed up. */
  userId: number
  createdAt: Created
  /** When it was awarded, or closed without an award. */
  redeemedAt: Date | null
  /** How often its award was taken back. */
  takebacks: Generated<number>
}
