/** Runs work with the same key one after another, and everything else at once. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Returns the result of the work. Work that fails doesn't affect what follows. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const own = before === undefined ? work() : before.then(work, work)
    this.#last.set(key, own)
    try {
      return await own
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key)
    }
  }
}
