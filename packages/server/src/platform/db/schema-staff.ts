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
