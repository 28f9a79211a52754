import { type SetupAnswer, type SetupProcess, setupProgress } from './setup-process.ts'

const firstDelay = 5000
const delayStep = 1000
const longestDelay = 60_000
/** Polls after a push until it may be pushed again: 5 + 6 + … + 14 s. */
const patience = 10

export interface PollerOptions<A extends SetupAnswer> {
  /** Asks the server; with `refresh` it pushes the set-up as well. */
  load: (options: { refresh: boolean; signal: AbortSignal }) => Promise<A>
  onAnswer: (answer: A) => void
  /** Whether a pushed set-up is given time. */
  onWaiting: (waiting: boolean) => void
}

/**
 * Follows a set-up until it is done: asks after 5 s, then 6, 7, 8 … A failed set-up is followed no further until
 * somebody pushes it; one that waits for the owner of a domain is, for nobody here can push it.
 */
export class SetupPoller<A extends SetupAnswer> {
  readonly #options: PollerOptions<A>
  #abort = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #delay = firstDelay
  #pollsLeft = 0

  constructor(options: PollerOptions<A>) {
    this.#options = options
  }

  /** Begins to follow a process. */
  start(process: SetupProcess): void {
    this.#abort = new AbortController()
    this.#delay = firstDelay
    this.#follow(process)
  }

  /** Ends all timers and calls. */
  stop(): void {
    this.#rest()
    this.#abort.abort()
    this.#pollsLeft = 0
  }

  /** Pushes a set-up that got stuck. */
  async refresh(): Promise<A> {
    this.#rest()
    const answer = await this.#ask(true)
    if (answer.processState === 'waiting') {
      this.#delay = firstDelay
      this.#setPollsLeft(patience)
    }
    this.#take(answer)
    return answer
  }

  /** Asks at once, for somebody who comes back to the page. */
  now(): void {
    if (this.#timer === undefined) return
    this.#rest()
    this.#delay = firstDelay
    void this.#poll()
  }

  async #poll(): Promise<void> {
    this.#timer = undefined
    const { signal } = this.#abort
    try {
      const answer = await this.#ask(false)
      if (this.#pollsLeft > 0) this.#setPollsLeft(this.#pollsLeft - 1)
      this.#take(answer)
    } catch {
      // A lost answer is no reason to stop; the next one tells.
      if (!signal.aborted) this.#schedule()
    }
  }

  async #ask(refresh: boolean): Promise<A> {
    const { signal } = this.#abort
    const answer = await this.#options.load({ refresh, signal })
    signal.throwIfAborted()
    return answer
  }

  #take(answer: A): void {
    this.#options.onAnswer(answer)
    this.#follow(answer)
  }

  #follow(process: SetupProcess): void {
    const stuck = process.processState === 'failed' && !setupProgress(process).needsOwner
    if (process.isDone || (stuck && this.#pollsLeft === 0)) return
    this.#schedule()
  }

  #schedule(): void {
    this.#rest()
    this.#timer = setTimeout(() => void this.#poll(), this.#delay)
    this.#delay = Math.min(this.#delay + delayStep, longestDelay)
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #setPollsLeft(count: number): void {
    this.#pollsLeft = count
    this.#options.onWaiting(count > 0)
  }
}
