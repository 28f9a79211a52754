import { HandlerStopped } from './protocol-errors.ts'
import type { Timers } from './timers.ts'

/**
 * Why the handler gave no answer. `failed`: it threw, or its answer can't be sent in the protocol. `timed-out`: it exceeded
 * its time budget. `overloaded`: too many handlers are running. `abandoned`: the client is gone or aborted the message.
 * `too-large`: the message exceeds a limit.
 */
export type Failure = 'failed' | 'timed-out' | 'overloaded' | 'abandoned' | 'too-large'

export type Outcome<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: Failure; readonly error?: unknown }

/** Counts the running handlers of a server, including those that timed out or were abandoned. */
export class Load {
  readonly #most: number
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  get running(): number {
    return this.#running
  }

  enter(): boolean {
    if (this.#running >= this.#most) return false
    this.#running++
    return true
  }

  leave(): void {
    this.#running--
  }
}

export interface ConsultationParts {
  readonly timers: Timers
  readonly load: Load
  /** Milliseconds between `resume` and `pause`, all together. */
  readonly budget: number
  /** Aborted when the connection is closed. */
  readonly closed: AbortSignal
}

/**
 * One call of a handler within its time budget. The budget is only spent between `resume` and `pause`, while the client
 * waits for the handler: a handler that streams a message also waits for the client. The outcome always resolves, even if
 * the handler never returns.
 */
export class Consultation<T> {
  readonly outcome: Promise<Outcome<T>>
  readonly #parts: ConsultationParts
  readonly #controller = new AbortController()
  readonly #abandon = () => this.stop('abandoned')
  #resolve: (outcome: Outcome<T>) => void = () => undefined
  #isSettled = false
  #used = 0
  #since: number | undefined
  #cancel: () => void = () => undefined

  constructor(parts: ConsultationParts, ask: (signal: AbortSignal) => Promise<T>) {
    this.#parts = parts
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve
    })
    if (parts.closed.aborted) this.stop('abandoned')
    else if (!parts.load.enter()) this.stop('overloaded')
    else {
      parts.closed.addEventListener('abort', this.#abandon)
      void this.#run(ask)
    }
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Milliseconds of the budget that were used. */
  get used(): number {
    return this.#used + (this.#since === undefined ? 0 : this.#parts.timers.now() - this.#since)
  }

  resume(): void {
    if (this.#isSettled || this.#since !== undefined) return
    const { budget, timers } = this.#parts
    this.#since = timers.now()
    this.#cancel = timers.after(Math.max(0, budget - this.#used), () => this.stop('timed-out'))
  }

  pause(): void {
    this.#cancel()
    this.#used = this.used
    this.#since = undefined
  }

  /** Ends the consultation without an answer. */
  stop(failure: Failure): void {
    if (this.#isSettled) return
    this.#settle({ kind: failure })
    this.#controller.abort(new HandlerStopped(failure))
  }

  async #run(ask: (signal: AbortSignal) => Promise<T>): Promise<void> {
    try {
      // lets the caller stop it before the handler is called
      await Promise.resolve()
      if (this.#isSettled) return
      this.#settle({ kind: 'answered', value: await ask(this.#controller.signal) })
    } catch (error) {
      this.#settle({ kind: 'failed', error })
    } finally {
      this.#parts.load.leave()
    }
  }

  #settle(outcome: Outcome<T>): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.pause()
    this.#parts.closed.removeEventListener('abort', this.#abandon)
    this.#resolve(outcome)
  }
}
