import type { Clock } from '../../platform/clock.ts'

/** A rate limit: an initial burst, and an allowance per second. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Token bucket of a socket. */
export class Allowance {
  readonly #rate: Rate
  readonly #clock: Clock
  #left: number
  #at: number

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
    this.#left = rate.burst
    this.#at = clock.now().getTime()
  }

  /** Takes tokens; returns 0 if they were available, otherwise the seconds until they are. */
  take(amount = 1): number {
    const now = this.#clock.now().getTime()
    const { burst, perSecond } = this.#rate
    this.#left = Math.min(burst, this.#left + (Math.max(0, now - this.#at) / 1000) * perSecond)
    this.#at = now
    if (this.#left >= amount) {
      this.#left -= amount
      return 0
    }
    return Math.ceil((amount - this.#left) / perSecond)
  }
}
