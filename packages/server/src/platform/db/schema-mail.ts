/** Who was let in to the mail from where; see mail-auth/store.ts. */
export interface MailPassTable {
  userId: number
  ip: string
  /** A companion device said yes. */
  isConfirmed: boolean
  passedAt: Date
}
