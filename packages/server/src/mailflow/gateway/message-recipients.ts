import type { Clock } from '../../platform/clock.ts'

interface OpenMessage {
  readonly recipients: string[]
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Messages that are being received at once; the oldest are forgotten. */
const mostMessages = 20_000
const longestMessage = 3_600_000
const mostRecipients = 50_000

/**
 * Remembers the recipients of messages until all are known: Postfix tells them one by one and later only how many there
 * are. Its process keeps the connection, so the same gateway hears all of them.
 */
export class MessageRecipients {
  readonly #clock: Clock
  readonly #open = new Map<string, OpenMessage>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `instance`: what Postfix calls the message. */
  add(instance: string, recipient: string): void {
    if (instance === '') return
    const message = this.#open.get(instance)
    if (message === undefined) this.#open.set(instance, { recipients: [recipient], since: this.#now() })
    else if (message.recipients.length < mostRecipients) message.recipients.push(recipient)
    this.#forgetOld()
  }

  /** Ends a message. Recipients that another process heard of count as unknown ones. */
  take(instance: string, count: number): string[] {
    const recipients = this.#open.get(instance)?.recipients ?? []
    this.#open.delete(instance)
    const missing = Math.max(0, Math.min(count, mostRecipients) - recipients.length)
    return [
      ...recipients,
      ...Array.from({ length: missing }, (_, index) => `unknown-${index}@${instance}.invalid`),
    ]
  }

  #forgetOld(): void {
    for (const [instance, { since }] of this.#open) {
      if (this.#open.size <= mostMessages && this.#now() - since < longestMessage) return
      this.#open.delete(instance)
    }
  }

  #now(): number {
    return this.#clock.now().getTime()
  }
}
