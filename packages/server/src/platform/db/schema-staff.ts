import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

/** Staff who sign in as somebody else. */
export interface ImpersonationTable {
  id: string
  staffId: number
  userId: number
  reason: string
  /** Of the code that begins the session; null: it was used. */
  codeHash: Buffer | null
  codeExpiresAt: Date
  endsAt: Date
  createdAt: Created
}

/** Bonuses and penalties that are too large for one member of staff. */
export interface OneOffRequestTable {
  id: string
  tenantId: number
  walletId: string
  /** Cents; a penalty is negative. */
  amount: number
  currency: string
  description: string
  requestedBy: number
  requesterEmail: string
  requesterRole: 'admin' | 'reseller'
  requesterTenantId: number
  state: Generated<'pending' | 'approved' | 'refused' | 'withdrawn'>
  /** Null: nobody, or who has a shell. */
  decidedBy: ColumnType<number | null, never, number | null>
  deciderEmail: ColumnType<string | null, never, string | null>
  comment: ColumnType<string | null, never, string | null>
  createdAt: Created
  expiresAt: Date
  decidedAt: ColumnType<Date | null, never, Date>
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
  userId: number | null
  createdAt: Created
}
