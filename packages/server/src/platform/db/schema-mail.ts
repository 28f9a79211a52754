/** Who was let in to the mail from where; see mail-auth/store.ts. */
export interface MailPassTable {
  user_id: number
  ip: string
  /** A companion device said yes. */
  is_confirmed: boolean
  passed_at: Date
}
