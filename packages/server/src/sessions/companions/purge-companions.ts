import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { purgeAttempts, purgePairings } from './attempt-store.ts'

/** Seconds that an address is kept after the last sign-in attempt. */
const attemptMemory = 30 * day

/** Deletes old decided sign-ins and expired pairing secrets. */
export class PurgeCompanions implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    const now = this.#clock.now()
    await purgeAttempts(this.#db, { attempts: after(now, -attemptMemory), prompts: after(now, -day) })
    await purgePairings(this.#db, now)
  }
}
