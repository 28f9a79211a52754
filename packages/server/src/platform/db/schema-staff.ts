import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

/** Staff who sign in as somebody else. */
export interface ImpersonationTable {
  id: string
  staff_id: number
  user_id: number
  reason: string
  /** Of the code that begins the session; null: it was used. */
  code_hash: Buffer | null
  code_expires_at: Date
  ends_at: Date
  created_at: Created
}

/** Bonuses and penalties that are too large for one member of staff. */
export interface OneOffRequestTable {
  id: string
  tenant_id: number
  wallet_id: string
  /** Cents; a penalty is negative. */
  amount: number
  currency: string
  description: string
  requested_by: number
  requester_email: string
  requester_role: 'admin' | 'reseller'
  requester_tenant_id: number
  state: Generated<'pending' | 'approved' | 'refused' | 'withdrawn'>
  /** Null: nobody, or who has a shell. */
  decided_by: ColumnType<number | null, never, number | null>
  decider_email: ColumnType<string | null, never, string | null>
  comment: ColumnType<string | null, never, string | null>
  created_at: Created
  expires_at: Date
  decided_at: ColumnType<Date | null, never, Date>
}

export interface MailLogTable {
  id: string
  /** Kind of mail. */
  name: string
  subject: string
  recipients: string[]
  outcome: 'sent' | 'failed'
  error: string | null
  /** The user that it is about. */
  user_id: number | null
  created_at: Created
}
