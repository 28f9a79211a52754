import { after, type Clock, day } from '../platform/clock.ts'

/** The period in which deleted objects can be restored. */
export class Retention {
  readonly #clock: Clock
  readonly days: number
  readonly #seconds: number

  /** `days` is the setting RETENTION_DAYS. */
  constructor(clock: Clock, days: number) {
    this.#clock = clock
    this.days = days
    this.#seconds = days * day
  }

  /** Objects deleted after this moment can still be restored; the others are purged. */
  since(): Date {
    return after(this.#clock.now(), -this.#seconds)
  }

  /** Until when an object deleted at a moment can be restored. */
  until(deletedAt: Date): Date {
    return after(deletedAt, this.#seconds)
  }
}
