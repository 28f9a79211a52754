/** The only source of time. Rules take a clock, which tests and the demo can set. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is set or advanced. */
export class ManualClock implements Clock {
  #time: number

  constructor(start: Date) {
    this.#time = start.getTime()
  }

  now(): Date {
    return new Date(this.#time)
  }

  /** Advances the clock by seconds; negative values turn it back. */
  advance(seconds: number): void {
    this.#time += seconds * 1000
  }
}

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

/** Returns the date `seconds` after another. */
export function after(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}

/** `YYYY-MM-DD HH:MM:SS`, UTC: the format of dates in the API. */
export function wireDate(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}
