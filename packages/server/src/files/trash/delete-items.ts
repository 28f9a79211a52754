import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Item } from '../items/item.ts'
import { readItem } from '../items/item-store.ts'
import { holdTree } from '../items/tree-store.ts'
import { recordFile } from '../record.ts'
import { parentsBelow, removeAccess, trashItems } from './trash-store.ts'

/**
 * Moves items to the trash, all or none. A collection takes along everything that lies only in it. Shares and
 * links end, so the person who restores an item decides again who has access. Returns the number of deleted items,
 * not counting those already deleted with another one.
 */
export function deleteItems(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  items: readonly Item[],
  actor: Actor,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    let deleted = 0
    for (const item of items) if (await deleteItem(trx, clock, item, actor)) deleted++
    return deleted
  })
}

async function deleteItem(trx: Db, clock: Clock, wanted: Item, actor: Actor): Promise<boolean> {
  await holdTree(trx, wanted.ownerId)
  const item = await readItem(trx, wanted.id)
  if (item === undefined || item.deletedAt !== null) return false
  const ids = goingWith(item.id, await parentsBelow(trx, item.id))
  await trashItems(trx, ids, { deletionId: item.id, now: clock.now(), by: actor.userId ?? null })
  await removeAccess(trx, ids)
  await recordFile(trx, clock, 'file.deleted', item, actor, ids.length > 1 ? { items: ids.length } : {})
  return true
}

/** Returns an item and its descendants, except those that also lie in a remaining collection. */
function goingWith(rootId: string, below: ReadonlyMap<string, readonly string[]>): string[] {
  const going = new Map(below)
  // a remaining item keeps its descendants
  for (let changed = true; changed; ) {
    changed = false
    for (const [id, parents] of going) {
      if (id === rootId || parents.every((parent) => going.has(parent))) continue
      going.delete(id)
      changed = true
    }
  }
  return [...going.keys()]
}
