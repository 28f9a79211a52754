/** What is repeated until it's stopped. */
export interface RepeatedWorkOptions {
  readonly run: () => Promise<void>
  /** Milliseconds between the end of a run and the next. */
  readonly interval: number
  readonly onError: (error: unknown) => void
}

/** Runs work again and again, never twice at once. Errors don't end it. */
export class RepeatedWork {
  readonly #options: RepeatedWorkOptions
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #work: Promise<void> = Promise.resolve()

  constructor(options: RepeatedWorkOptions) {
    this.#options = options
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  start(): void {
    this.#schedule(0)
  }

  /** Resolves when the run in progress has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#work
  }

  /** Runs once more, after the run in progress. Rejects if the work fails. */
  runNow(): Promise<void> {
    const work = this.#work.then(() => this.#options.run())
    this.#work = work.catch(() => {})
    return work
  }

  #schedule(delay: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      void this.runNow()
        .catch((error: unknown) => this.#options.onError(error))
        .finally(() => this.#schedule(this.#options.interval))
    }, delay)
    this.#timer.unref()
  }
}
