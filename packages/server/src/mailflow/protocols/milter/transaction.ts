import { type MilterHeader, receivedHeader } from './message-headers.ts'
import { MessageReview, type ReviewParts } from './message-review.ts'
import type { EnvelopeAddress, Macros, MilterConnection, MilterEnvelope } from './milter-handler.ts'

/** One message, from its sender to its end. */
export class Transaction {
  readonly envelope: MilterEnvelope
  readonly #parts: ReviewParts
  readonly #recipients: EnvelopeAddress[] = []
  readonly #headers: MilterHeader[] = []
  #headerBytes = 0
  #isTooLarge = false
  #isDisordered = false
  #review: MessageReview | undefined

  constructor(connection: MilterConnection, sender: EnvelopeAddress, macros: Macros, parts: ReviewParts) {
    this.#parts = parts
    this.envelope = { connection, sender, recipients: this.#recipients, macros }
  }

  get isFull(): boolean {
    return this.#recipients.length >= this.#parts.limits.recipients
  }

  get isUnderReview(): boolean {
    return this.#review !== undefined
  }

  /** Envelope or headers changed after the handler was called. */
  get isDisordered(): boolean {
    return this.#isDisordered
  }

  addRecipient(recipient: EnvelopeAddress): void {
    if (this.#review !== undefined) this.#isDisordered = true
    else if (this.isFull) this.#isTooLarge = true
    else this.#recipients.push(recipient)
  }

  addHeader(name: string, value: Buffer): void {
    if (this.#review !== undefined) {
      this.#isDisordered = true
      return
    }
    const { limits, agreement } = this.#parts
    this.#headerBytes += name.length + value.length + 3
    this.#isTooLarge ||= this.#headerBytes > limits.headerBytes || this.#headers.length >= limits.headers
    if (!this.#isTooLarge) this.#headers.push(receivedHeader(name, value, agreement.hasLeadingSpace))
  }

  /** Asks the handler; later calls return the same review. */
  review(): MessageReview {
    if (this.#review === undefined) {
      this.#review = new MessageReview({ envelope: this.envelope, headers: this.#headers }, this.#parts)
      if (this.#isTooLarge) this.#review.stop('too-large')
    }
    return this.#review
  }

  abandon(): void {
    this.#review?.stop('abandoned')
  }
}
