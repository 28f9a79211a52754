/** A recipient of a message that comes in, and what its client said so far. */
export interface Arrival {
  readonly clientAddress: string
  /** Host name that the address confirms; null: unknown. */
  readonly clientName: string | null
  readonly helo: string
  /** Envelope sender; empty: the null sender. */
  readonly sender: string
  readonly recipient: string
  readonly queueId: string | null
}
