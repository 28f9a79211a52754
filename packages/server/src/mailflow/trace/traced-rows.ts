import type { MailEvent } from '@gatehouse/contract/mail/mail-trace'

/** A kept decision, as the page about mail reads it. */
export interface DecisionRow {
  readonly id: string
  readonly decidedAt: Date
  readonly policy: string
  readonly reason: string
  readonly direction: 'in' | 'out'
  readonly sender: string
  readonly recipient: string | null
  readonly clientAddress: string | null
  readonly queueId: string | null
  readonly messageId: string | null
  readonly facts: Record<string, unknown>
  /** Whether the decision itself passes the filter, as opposed to another one of its message. */
  readonly isMatch: boolean
}

/** A step from a mail server's log. */
export interface LogRow {
  /** Queue id of the message in decisions; content filters give it others later. */
  readonly rootQueueId: string
  readonly loggedAt: Date
  readonly server: string
  readonly event: MailEvent | 'message-id'
  readonly clientAddress: string | null
  readonly sender: string | null
  readonly recipient: string | null
  readonly originalRecipient: string | null
  readonly messageId: string | null
  readonly size: number | null
  readonly relay: string | null
  readonly status: string | null
  readonly response: string | null
}
