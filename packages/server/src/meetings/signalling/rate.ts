import type { Clock } from '../../platform/clock.ts'

/** How often something may be done: so much at once, and so much a second after that. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Counts what one socket does. */
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

  /** Takes so much; 0 when it was there, else the seconds until it will be. */
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
