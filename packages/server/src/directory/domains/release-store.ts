import { sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Purgeable } from '../../platform/purge.ts'

/**
 * Frees the names of domains that were deleted long enough ago, so that anybody who can prove the ownership may
 * bring them. The domain stays, under a name that none can have. A name whose old addresses are still held waits
 * for them: nobody else may ever hold an address in a domain that has passed to another account.
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
