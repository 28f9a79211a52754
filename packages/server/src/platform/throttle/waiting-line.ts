import type { Reservation } from './throttle-store.ts'

/** Maximum number of queued requests per target. */
const longestLine = 100
/** Milliseconds between polls for reservations settled by other processes. */
const lookEvery = 100

interface Waiter {
  readonly reserve: () => Promise<Reservation>
  readonly deadline: number
  readonly resolve: (reservation: Reservation | 'late') => void
  readonly reject: (error: unknown) => void
}

/**
 * Requests that wait for guesses in progress at the same target, in FIFO order. Only the first one queries the
 * database, so a burst costs one statement per request instead of one per pair of requests.
 */
export class WaitingLine {
  readonly #target: string
  readonly #waiting: Waiter[] = []
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  #mustAskAgain = false

  /** The target's name. */
  constructor(target: string) {
    this.#target = target
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /**
   * Resolves with the reservation when it is the request's turn, with `busy` if another target blocks it by
   * then, or with `late` if the queue is full or the deadline (ms) has passed.
   */
  join(reserve: () => Promise<Reservation>, deadline: number): Promise<Reservation | 'late'> {
    if (this.#waiting.length >= longestLine) return Promise.resolve('late')
    this.#timer ??= setInterval(() => this.advance(), lookEvery).unref()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ reserve, deadline, resolve, reject })
    })
  }

  /** Serves the requests that can proceed now. */
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

  /** Returns false if the first request must keep waiting. */
  async #serve(first: Waiter): Promise<boolean> {
    try {
      const reservation = await first.reserve()
      const isHere = reservation.outcome !== 'reserved' && reservation.target.name === this.#target
      if (reservation.outcome === 'busy' && isHere) return false
      this.#waiting.shift()
      first.resolve(reservation)
      // the requests behind it need not ask
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
