import { after, type Clock, day } from '../platform/clock.ts'

/** The time in which what was deleted may be restored. */
export class Retention {
  readonly #clock: Clock
  readonly days: number
  readonly #seconds: number

  /** `days` of the setting RETENTION_DAYS. */
  constructor(clock: Clock, days: number) {
    this.#clock = clock
    this.days = days
    this.#seconds = days * day
  }

  /** What was deleted after this moment may still be restored; the rest is forgotten. */
  since(): Date {
    return after(this.#clock.now(), -this.#seconds)
  }

  /** Until when something that was deleted then may be restored. */
  until(deletedAt: Date): Date {
    return after(deletedAt, this.#seconds)
  }
}
