import { type SetupAnswer, type SetupProcess, setupProgress } from './setup-process.ts'

const firstDelay = 5000
const delayStep = 1000
const longestDelay = 60_000
/** Number of polls after a restart before another one is allowed: 5 + 6 + … + 14 s. */
const patience = 10

export interface PollerOptions<A extends SetupAnswer> {
  /** Polls the server; with `refresh`, also restarts the setup. */
  load: (options: { refresh: boolean; signal: AbortSignal }) => Promise<A>
  onAnswer: (answer: A) => void
  /** Called with whether a restart is pending. */
  onWaiting: (waiting: boolean) => void
}

/**
 * Polls a setup until it is done: after 5 s, then 6, 7, 8 … Stops at a failed setup until the user restarts
 * it. Continues while waiting for the owner of a domain, as nobody here can restart that.
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

  /** Starts polling a process. */
  start(process: SetupProcess): void {
    this.#abort = new AbortController()
    this.#delay = firstDelay
    this.#follow(process)
  }

  /** Stops all timers and calls. */
  stop(): void {
    this.#rest()
    this.#abort.abort()
    this.#pollsLeft = 0
  }

  /** Restarts a stuck setup. */
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

  /** Polls at once when the user returns to the page. */
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
      // Continue after a lost response; the next poll catches up.
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
