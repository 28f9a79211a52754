import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

export interface BatchOptions<Item, Result> {
  /** Handles items together and returns their results in the same order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Items handled together. */
  readonly most: number
  /** Items with the same key are handled one after another, each in another batch. */
  readonly keyOf?: (item: Item) => string
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets callers share statements. Items that are added in one turn of the event loop, or while earlier batches are in
 * progress, are handled together. So a single item isn't delayed, and batches grow with the load.
 */
export class Batch<Item, Result> {
  readonly #options: BatchOptions<Item, Result>
  /** The transaction of one caller must not be used for the others. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #waiting: Waiting<Item, Result>[] = []
  /** A batch is in progress or about to begin. */
  #isBusy = false

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options
  }

  /** Returns the result of an item. Rejects if its batch fails. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isBusy || this.#waiting.length === 0) return
    this.#isBusy = true
    this.#outside(() => setImmediate(() => void this.#handle(this.#take())))
  }

  #take(): Waiting<Item, Result>[] {
    const { most, keyOf } = this.#options
    if (keyOf === undefined) return this.#waiting.splice(0, most)
    const taken = new Map<string, Waiting<Item, Result>>()
    const left: Waiting<Item, Result>[] = []
    for (const one of this.#waiting) {
      const key = keyOf(one.item)
      if (taken.size < most && !taken.has(key)) taken.set(key, one)
      else left.push(one)
    }
    this.#waiting = left
    return [...taken.values()]
  }

  async #handle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    await this.#settle(batch)
    this.#isBusy = false
    this.#schedule()
  }

  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) {
        resolve(results[index] as Result) // as many results as items
      }
    } catch (error) {
      // an item that the database rejects must not fail the others
      if (batch.length > 1 && error instanceof pg.DatabaseError) {
        for (const one of batch) await this.#settle([one])
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }
}
