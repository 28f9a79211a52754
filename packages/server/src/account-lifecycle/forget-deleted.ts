import { forgetFiles } from '../files/user-files-store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Purgeable } from '../platform/purge.ts'
import type { Retention } from '../users/retention.ts'
import { freeAddresses, holdForgettable, removeFacts, removeFromWork, removePerson } from './forget-store.ts'

/** Users that one transaction forgets. */
const batch = 100

/**
 * Forgets users who were deleted so long ago that they can no longer be restored: profile, settings, passwords,
 * factors, sessions, consents and the facts in the record of changes go. Their addresses are free for the account again;
 * in a public domain nobody ever gets the address of another person. A row without a name stays, because the
 * books and the record name its number.
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
      // each step is a transaction of its own, so that none holds many rows for long
    }
  }

  /** False when nobody was left to forget. */
  #forgetSome(): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const ids = await holdForgettable(trx, this.#retention.since(), batch)
      if (ids.length === 0) return false
      await forgetUsers(trx, this.#clock, ids)
      return true
    })
  }
}

/** Removes everything personal of deleted users whom the back ends have forgotten, in a transaction that holds them. */
export async function forgetUsers(trx: Db, clock: Clock, ids: readonly number[]): Promise<void> {
  // while it is still known which addresses are theirs
  await forgetFiles(trx, ids)
  await freeAddresses(trx, ids)
  await removeFromWork(trx, ids)
  await removePerson(trx, ids, clock.now())
  await removeFacts(trx, ids)
}
