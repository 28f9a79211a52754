import type { Clock } from '../clock.ts'

export interface KeptAnswersOptions {
  readonly clock: Clock
  /** Seconds for which an answer is kept; 0: not at all. */
  readonly keptFor: number
  /** Answers kept in memory; the oldest are dropped first. */
  readonly most: number
}

interface Kept<Answer> {
  /** Milliseconds since 1970. */
  readonly since: number
  readonly answer: Answer
}

/** Keeps answers of the database in memory for some seconds: what another process changes is seen that much later. */
export class KeptAnswers<Answer> {
  readonly #clock: Clock
  readonly #keptFor: number
  readonly #most: number
  readonly #kept = new Map<string, Kept<Answer>>()

  constructor({ clock, keptFor, most }: KeptAnswersOptions) {
    this.#clock = clock
    this.#keptFor = keptFor * 1000
    this.#most = most
  }

  get(key: string): Answer | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    // a clock that was set back must not keep it longer
    if (Math.abs(this.#now() - kept.since) < this.#keptFor) return kept.answer
    this.#kept.delete(key)
    return undefined
  }

  /** Keeps an answer as of now. */
  keep(key: string, answer: Answer): void {
    if (this.#keptFor === 0) return
    this.#kept.delete(key)
    this.#kept.set(key, { since: this.#now(), answer })
    const oldest = this.#kept.keys().next().value
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest)
  }

  drop(key: string): void {
    this.#kept.delete(key)
  }

  #now(): number {
    return this.#clock.now().getTime()
  }
}
