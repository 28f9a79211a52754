import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Purgeable } from '../platform/purge.ts'
import { changeState, purgeBatches, staleBatches } from './batch-store.ts'
import { skipRest } from './row-store.ts'

/** Seconds for which the outcome of a batch can be looked at. */
const kept = 30 * day
/** Seconds after which one that nobody started is cancelled: prices and addresses are others by then. */
const waits = 7 * day

/** Removes batches in their time, and the passwords of those that nobody started. */
export class PurgeBatches implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    const now = this.#clock.now()
    await purgeBatches(this.#db, after(now, -kept), after(now, -day))
    for (const id of await staleBatches(this.#db, after(now, -waits))) {
      await this.#db.transaction().execute(async (trx) => {
        const isStale = await changeState(trx, id, ['checking', 'ready'], { to: 'cancelled', at: now })
        if (isStale) await skipRest(trx, id)
      })
    }
  }
}
