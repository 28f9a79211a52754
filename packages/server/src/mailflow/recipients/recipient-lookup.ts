import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import { Batch } from '../../platform/db/batch.ts'
import { KeptAnswers } from '../../platform/db/kept-answers.ts'
import { findRecipients, type Recipient } from './recipient-store.ts'

export interface RecipientLookupParts {
  readonly pool: Pool
  readonly clock: Clock
  /** Seconds for which a recipient is kept in memory; 0: not at all. */
  readonly keptFor?: number
}

/** Addresses kept in memory. */
const mostKept = 20_000

/**
 * Finds who gets the mail for addresses. Lookups share statements, and may be kept in memory for some seconds: a changed
 * setting then takes effect that much later. Unknown addresses aren't kept, so new ones work at once.
 */
export class RecipientLookup {
  readonly #kept: KeptAnswers<Recipient>
  readonly #batch: Batch<string, Recipient | undefined>
  /** Questions in progress, which are asked once. */
  readonly #asked = new Map<string, Promise<Recipient | undefined>>()

  constructor({ pool, clock, keptFor = 0 }: RecipientLookupParts) {
    this.#kept = new KeptAnswers({ clock, keptFor, most: mostKept })
    this.#batch = new Batch({ run: (addresses) => findRecipients(pool, addresses), most: 100 })
  }

  /** Returns the recipient of a canonical address; undefined: nobody here. */
  async find(address: string): Promise<Recipient | undefined> {
    return this.#kept.get(address) ?? this.#ask(address)
  }

  #ask(address: string): Promise<Recipient | undefined> {
    const asked = this.#asked.get(address)
    if (asked !== undefined) return asked
    const answer = this.#batch.add(address).finally(() => this.#asked.delete(address))
    this.#asked.set(address, answer)
    return answer.then((recipient) => {
      if (recipient !== undefined) this.#kept.keep(address, recipient)
      return recipient
    })
  }
}
