import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Item } from '../items/item.ts'
import { holdTree } from '../items/tree-store.ts'
import { recordFile } from '../record.ts'
import { removeTrashed, someTrash } from './trash-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Permanently deletes an item in the trash. Returns false if it was removed concurrently. Its content becomes
 * garbage.
 */
export async function purgeItem({ db, clock }: Parts, item: Item, actor: Actor): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await holdTree(trx, item.ownerId)
    const items = await removeTrashed(trx, item.id)
    if (items === 0) return false
    await recordFile(trx, clock, 'file.purged', item, actor, items > 1 ? { items } : {})
    return true
  })
}

/** Empties a user's trash, with one transaction per item. Returns the number of items. */
export async function emptyTrash(parts: Parts, ownerId: number, actor: Actor): Promise<number> {
  let purged = 0
  for (;;) {
    const some = await someTrash(parts.db, { ownerId }, 100)
    if (some.length === 0) return purged
    for (const item of some) if (await purgeItem(parts, item, actor)) purged++
  }
}
