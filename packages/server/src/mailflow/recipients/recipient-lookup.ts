import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import { Batch } from '../../platform/db/batch.ts'
import { findRecipients, type Recipient } from './recipient-store.ts'

export interface RecipientLookupParts {
  readonly pool: Pool
  readonly clock: Clock
  /** Seconds for which a recipient is kept in memory; 0: not at all. */
  readonly keptFor?: number
}

/** Addresses kept in memory; the oldest are dropped first. */
const mostKept = 20_000

interface Kept {
  readonly since: number
  readonly recipient: Recipient
}

/**
 * Finds who gets the mail for addresses. Lookups share statements, and may be kept in memory for some seconds: a changed
 * setting then takes effect that much later. Unknown addresses aren't kept, so new ones work at once.
 */
export class RecipientLookup {
  readonly #clock: Clock
  readonly #keptFor: number
  readonly #kept = new Map<string, Kept>()
  readonly #batch: Batch<string, Recipient | undefined>

  constructor({ pool, clock, keptFor = 0 }: RecipientLookupParts) {
    this.#clock = clock
    this.#keptFor = keptFor * 1000
    this.#batch = new Batch({ run: (addresses) => findRecipients(pool, addresses), most: 100, atOnce: 2 })
  }

  /** Returns the recipient of a canonical address; undefined: nobody here. */
  async find(address: string): Promise<Recipient | undefined> {
    const now = this.#clock.now().getTime()
    const kept = this.#kept.get(address)
    if (kept !== undefined) {
      // a clock that was set back must not keep it longer
      if (Math.abs(now - kept.since) < this.#keptFor) return kept.recipient
      this.#kept.delete(address)
    }
    const recipient = await this.#batch.add(address)
    if (recipient !== undefined && this.#keptFor > 0) this.#keep(address, { since: now, recipient })
    return recipient
  }

  #keep(address: string, kept: Kept): void {
    this.#kept.set(address, kept)
    const oldest = this.#kept.keys().next().value
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest)
  }
}
