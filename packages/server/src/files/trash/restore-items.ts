import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { Item } from '../items/item.ts'
import { deepest, depthAbove, depthBelow, holdTree, removeParents } from '../items/tree-store.ts'
import { recordFile } from '../record.ts'
import { leaveTrashedParents, restoreTrashed } from './trash-store.ts'

/**
 * Restores items from the trash, each with everything deleted along with it, to the collections that still
 * exist, or to the root. All or none: throws NotFound if one is no longer there.
 */
export async function restoreItems(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  items: readonly Item[],
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const item of items) await restoreItem(trx, clock, item, actor)
  })
}

async function restoreItem(trx: Db, clock: Clock, item: Item, actor: Actor): Promise<void> {
  await holdTree(trx, item.ownerId)
  const restored = await restoreTrashed(trx, item.id, clock.now())
  if (restored === 0) throw new NotFound()
  // removed from collections that are in the trash, even if those are restored later
  await leaveTrashedParents(trx, item.id)
  // items moved around it in the meantime must not exceed the maximum depth
  const depth = (await depthAbove(trx, [item.id])) + (await depthBelow(trx, item.id))
  if (depth > deepest) await removeParents(trx, item.id)
  await recordFile(trx, clock, 'file.restored', item, actor, restored > 1 ? { items: restored } : {})
}
