import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Purgeable } from '../platform/purge.ts'
import { changeState, purgeBatches, purgePlans, staleBatches } from './batch-store.ts'
import { skipRest } from './row-store.ts'

/** Seconds for which a batch's results are kept. */
const kept = 30 * day
/**
 * Seconds after which a batch that wasn't started is cancelled, because prices and addresses have changed.
 */
const waits = 7 * day

/** Deletes old batches, and the passwords of those that weren't started. */
export class PurgeBatches implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    const now = this.#clock.now()
    await purgeBatches(this.#db, {
      before: after(now, -kept),
      // undone up to thirty days after they were applied, which is later
      plansBefore: after(now, -kept - day),
      unfinishedBefore: after(now, -day),
    })
    await purgePlans(this.#db, after(now, -day))
    for (const id of await staleBatches(this.#db, after(now, -waits))) {
      await this.#db.transaction().execute(async (trx) => {
        const isStale = await changeState(trx, id, ['checking', 'ready'], { to: 'cancelled', at: now })
        if (isStale) await skipRest(trx, id)
      })
    }
  }
}
