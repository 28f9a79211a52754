import type { Timers } from '../connections/timers.ts'

/** Timers that stand still until they are moved. */
export class ManualTimers implements Timers {
  #now = 0
  readonly #waiting = new Set<{ readonly at: number; readonly act: () => void }>()

  /** Timers that were neither called nor cancelled. */
  get pending(): number {
    return this.#waiting.size
  }

  now(): number {
    return this.#now
  }

  after(milliseconds: number, act: () => void): () => void {
    const entry = { at: this.#now + milliseconds, act }
    this.#waiting.add(entry)
    return () => this.#waiting.delete(entry)
  }

  /** Moves the time and calls what is due, in the order of its time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      const due = [...this.#waiting].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
      const [next] = due
      if (next === undefined) break
      this.#waiting.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.act()
    }
    this.#now = end
  }
}
