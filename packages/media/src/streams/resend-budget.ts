import type { SendEstimate } from './send-estimate.ts'

/** Bytes that may be sent again at once. */
const most = 40_000
/** Milliseconds of queue above which what is sent again makes it worse. */
const freeQueue = 60
/** Milliseconds between two repetitions of one packet. */
const interval = 30

/** How much of what was lost a receiver is sent again: much on a free way, a tenth of what arrives on a full one. */
export class ResendBudget {
  readonly #estimate: SendEstimate
  #tokens = most / 2
  #at: number
  #last = new Map<number, number>()

  constructor(estimate: SendEstimate, now: number) {
    this.#estimate = estimate
    this.#at = now
  }

  /** Whether so many bytes may be sent again. */
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

  /** Whether the last repetition of a packet is long enough ago. `key` names stream and number. */
  isDue(key: number, now: number): boolean {
    if (now - (this.#last.get(key) ?? Number.NEGATIVE_INFINITY) < interval) return false
    if (this.#last.size > 500) this.#last = new Map()
    this.#last.set(key, now)
    return true
  }
}
