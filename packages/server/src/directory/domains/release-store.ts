import { sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Purgeable } from '../../platform/purge.ts'

/**
 * Releases the names of domains whose retention period is over, so that anyone who can prove ownership may add
 * them. The domain row stays under a name that can't be used. A name with addresses that are still reserved is
 * kept, since nobody else may ever get an address in a domain that has moved to another account.
 */
export class ReleaseDomains implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #retention: number

  /** `retention` in days. */
  constructor(db: Db, clock: Clock, retention: number) {
    this.#db = db
    this.#clock = clock
    this.#retention = retention * day
  }

  async purge(): Promise<void> {
    const before = after(this.#clock.now(), -this.#retention)
    await sql`update domains d set namespace = d.id || '#' || d.namespace
      where d.deleted_at < ${before} and position('#' in d.namespace) = 0
        and not exists (select from addresses a where a.domain = d.namespace)`.execute(this.#db)
  }
}
