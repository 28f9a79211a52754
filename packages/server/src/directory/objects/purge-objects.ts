import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provisionAll } from '../../platform/provision/provision.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { clearRemains, deleteObjects, holdRemovable } from './purge-store.ts'

/** Objects that one transaction removes. */
const batch = 500

/**
 * Removes lists, resources and shared folders that were deleted long enough ago, as soon as the back end has
 * forgotten them: nobody can restore them, and their addresses are free. An address in a public domain is never
 * given to anybody again. What users who are gone for good left in lists and folders goes with them.
 */
export class PurgeObjects implements Purgeable {
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
    while ((await this.#removeSome(before)) === batch);
    await clearRemains(this.#db, before)
  }

  /** Returns how many objects went. */
  #removeSome(before: Date): Promise<number> {
    return this.#db
      .transaction()
      .execute(async (trx) => removeObjects(trx, await holdRemovable(trx, before, batch)))
  }
}

/** Removes deleted objects for good and frees their addresses, in a transaction that holds them. Returns how many went. */
export async function removeObjects(trx: Db, wanted: readonly number[]): Promise<number> {
  const rows = await deleteObjects(trx, wanted)
  // what is noted of the work on them goes with them
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const gone = rows.filter((row) => row.kind === kind)
    await provisionAll(
      trx,
      kind,
      gone.map((row) => row.id),
    )
  }
  return rows.length
}
