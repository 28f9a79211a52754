import type { SendEstimate } from './send-estimate.ts'

/** Maximum burst of retransmitted bytes. */
const most = 40_000
/** Queueing delay in milliseconds above which retransmissions make it worse. */
const freeQueue = 60
/** Minimum milliseconds between two retransmissions of a packet. */
const interval = 30

/**
 * Limits retransmissions to a receiver: many on an uncongested path, a tenth of the arriving rate on a
 * congested one.
 */
export class ResendBudget {
  readonly #estimate: SendEstimate
  #tokens = most / 2
  #at: number
  #last = new Map<number, number>()

  constructor(estimate: SendEstimate, now: number) {
    this.#estimate = estimate
    this.#at = now
  }

  /** Returns whether this many bytes may be retransmitted, and deducts them. */
  take(bytes: number, now: number): boolean {
    const { queue, acknowledged } = this.#estimate
    const arriving = acknowledged / 8000
    const perMillisecond = queue < freeQueue ? 25 + arriving * 0.5 : 3 + arriving * 0.1
    this.#tokens = Math.min(most, this.#tokens + (now - this.#at) * perMillisecond)
    this.#at = now
    if (this.#tokens < bytes) return false
    this.#tokens -= bytes
    return true
  }

  /**
   * Whether enough time has passed since a packet's last retransmission. `key` identifies stream and number.
   */
  isDue(key: number, now: number): boolean {
    if (now - (this.#last.get(key) ?? Number.NEGATIVE_INFINITY) < interval) return false
    if (this.#last.size > 500) this.#last = new Map()
    this.#last.set(key, now)
    return true
  }
}
