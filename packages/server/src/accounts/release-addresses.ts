import { domainType } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Purgeable } from '../platform/purge.ts'

/**
 * Frees the addresses of users who were deleted long enough ago, so that an account may give them to somebody
 * else. In a public domain nobody ever gets the address of another person. The user stays, under a name that
 * no mail address can have.
 */
export class ReleaseAddresses implements Purgeable {
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
    await this.#db.transaction().execute(async (trx) => {
      const released = await sql<{ address: string; object_id: number }>`delete from addresses a
        using users u
        where a.kind in ('user', 'alias') and a.object_id = u.id and u.deleted_at < ${before}::timestamptz
          and not exists (select from domains d where d.namespace = split_part(a.address, '@', 2)
            and d.type & ${domainType.public}::int <> 0)
        returning a.address, a.object_id`.execute(trx)
      await sql`update users u set email = u.id || '#' || u.email
        where u.id = any(${released.rows.map((row) => row.object_id)}::bigint[])
          and u.email = any(${released.rows.map((row) => row.address)}::text[])`.execute(trx)
    })
  }
}
