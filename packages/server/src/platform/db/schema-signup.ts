import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'
import type { Localised } from './schema.ts'

export interface SignupCodeTable {
  id: string
  code_hash: Buffer
  tenant_id: number
  plan_id: string
  /** The address that the code proves; null where a token was shown instead. */
  email: string | null
  token: string | null
  first_name: string | null
  last_name: string | null
  voucher: string | null
  referral: string | null
  language: string
  ip: string
  verify_ip: string | null
  submit_ip: string | null
  user_agent: string
  attempts: Generated<number>
  user_id: number | null
  created_at: Created
  expires_at: Date
  used_at: Date | null
}

export interface SignupTokenTable {
  tenant_id: number
  /** In capital letters; unique in the tenant. */
  token: string
  plan_id: string
  /** Accounts that were made with it. */
  counter: Generated<number>
  usage_limit: number | null
  expires_at: Date | null
  revoked_at: Generated<Date | null>
  created_at: Created
}

export interface SignupInvitationTable {
  id: string
  tenant_id: number
  email: string
  /** 1 new, 2 sent, 4 failed, 8 completed. */
  status: number
  user_id: number | null
  created_at: Created
  updated_at: Date
  expires_at: Date
  /** Why it could not be sent. */
  error: Generated<string | null>
  first_name: Generated<string | null>
  last_name: Generated<string | null>
}

export interface DiscountTable {
  id: string
  tenant_id: number
  /** With which people claim it when they sign up; null: they cannot. */
  code: string | null
  discount: number
  description: ColumnType<Localised, string, string>
  active: boolean
  expires_at: Generated<Date | null>
  usage_limit: Generated<number | null>
  /** Accounts that were made with the code. */
  usage_count: Generated<number>
}

export interface ReferralProgramTable {
  id: string
  tenant_id: number
  active: boolean
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  /** Cents. */
  award_amount: Generated<number>
  /** Cents. */
  payments_threshold: Generated<number>
  discount_id: string | null
  /** Raised by the database with every change. */
  revision: Generated<number>
  created_at: Created
  updated_at: Date
}

export interface ReferralCodeTable {
  code: string
  user_id: number
  program_id: string
  created_at: Created
}

export interface ReferralTable {
  id: string
  code: string
  /** Who signed up. */
  user_id: number
  created_at: Created
  /** When it was awarded, or closed without an award. */
  redeemed_at: Date | null
  /** How often its award was taken back. */
  takebacks: Generated<number>
}
