import { forgetFiles } from '../files/user-files-store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Purgeable } from '../platform/purge.ts'
import type { Retention } from '../users/retention.ts'
import { freeAddresses, holdForgettable, removeFacts, removeFromWork, removePerson } from './forget-store.ts'

/** Maximum users purged per transaction. */
const batch = 100

/**
 * Purges users whose retention period has ended: profile, settings, passwords, factors, sessions, consents and
 * audit log details. The account can reuse their addresses; in a public domain, an address is never
 * reassigned. A row without a name stays, because the books and the audit log refer to its ID.
 */
export class ForgetDeleted implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #retention: Retention

  constructor(db: Db, clock: Clock, retention: Retention) {
    this.#db = db
    this.#clock = clock
    this.#retention = retention
  }

  async purge(): Promise<void> {
    while (await this.#forgetSome()) {
      // each step has its own transaction, so that none locks many rows for long
    }
  }

  /** Returns false if no users were left to purge. */
  #forgetSome(): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const ids = await holdForgettable(trx, this.#retention.since(), batch)
      if (ids.length === 0) return false
      await forgetUsers(trx, this.#clock, ids)
      return true
    })
  }
}

/**
 * Removes all personal data of deleted users whom the back ends have removed, in a transaction that locks
 * them.
 */
export async function forgetUsers(trx: Db, clock: Clock, ids: readonly number[]): Promise<void> {
  // while their addresses are still known
  await forgetFiles(trx, ids)
  await freeAddresses(trx, ids)
  await removeFromWork(trx, ids)
  await removePerson(trx, ids, clock.now())
  await removeFacts(trx, ids)
}
