import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provisionAll } from '../../platform/provision/provision.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { clearRemains, deleteObjects, holdRemovable } from './purge-store.ts'

/** Objects removed per transaction. */
const batch = 500

/**
 * Removes lists, resources and shared folders whose retention period is over, once the back end has removed
 * them. Their addresses become available, except in public domains, where they are never assigned again. Also
 * clears what permanently deleted users left in lists and folders.
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

  /** Returns the number of removed objects. */
  #removeSome(before: Date): Promise<number> {
    return this.#db
      .transaction()
      .execute(async (trx) => removeObjects(trx, await holdRemovable(trx, before, batch)))
  }
}

/**
 * Permanently removes deleted objects and releases their addresses, in a transaction that holds them. Returns
 * the number of removed objects.
 */
export async function removeObjects(trx: Db, wanted: readonly number[]): Promise<number> {
  const rows = await deleteObjects(trx, wanted)
  // their provisioning records are removed with them
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
