import type { Reservation } from './throttle-store.ts'

/** Requests that wait in one line. */
const longestLine = 100
/** Milliseconds between two looks whether another process has finished. */
const lookEvery = 100

interface Waiter {
  readonly reserve: () => Promise<Reservation>
  readonly deadline: number
  readonly resolve: (reservation: Reservation | 'late') => void
  readonly reject: (error: unknown) => void
}

/**
 * Requests that wait until guesses in progress at the same target are decided: first come, first served. Only the
 * first one asks the database, so a burst costs one statement per request and not one per pair of requests.
 */
export class WaitingLine {
  readonly #target: string
  readonly #waiting: Waiter[] = []
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  #mustAskAgain = false

  /** By the name of the target. */
  constructor(target: string) {
    this.#target = target
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /**
   * What became of the reservation once it was the request's turn, `busy` when something else is in its way by then.
   * `late` when the line is too long or the deadline (ms) has passed.
   */
  join(reserve: () => Promise<Reservation>, deadline: number): Promise<Reservation | 'late'> {
    if (this.#waiting.length >= longestLine) return Promise.resolve('late')
    this.#timer ??= setInterval(() => this.advance(), lookEvery).unref()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ reserve, deadline, resolve, reject })
    })
  }

  /** Lets those in whose turn it is now. */
  advance(): void {
    this.#mustAskAgain = true
    if (!this.#isAsking) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    while (this.#mustAskAgain) {
      this.#mustAskAgain = false
      this.#dismissLate()
      let first = this.#waiting[0]
      while (first !== undefined) {
        if (!(await this.#serve(first))) break
        first = this.#waiting[0]
      }
    }
    this.#isAsking = false
    if (!this.isEmpty) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** False: the first one has to wait on. */
  async #serve(first: Waiter): Promise<boolean> {
    try {
      const reservation = await first.reserve()
      const isHere = reservation.outcome !== 'reserved' && reservation.target.name === this.#target
      if (reservation.outcome === 'busy' && isHere) return false
      this.#waiting.shift()
      first.resolve(reservation)
      // nobody behind has to ask
      if (reservation.outcome === 'blocked' && isHere) {
        for (const waiter of this.#waiting.splice(0)) waiter.resolve(reservation)
      }
    } catch (error) {
      this.#waiting.shift()
      first.reject(error)
    }
    return true
  }

  #dismissLate(): void {
    const now = performance.now()
    const late = this.#waiting.filter(({ deadline }) => deadline <= now)
    for (const waiter of late) {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      waiter.resolve('late')
    }
  }
}
