import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Item } from '../items/item.ts'
import { deepest, depthAbove, depthBelow, holdTree, removeParents } from '../items/tree-store.ts'
import { recordFile } from '../record.ts'

/**
 * Brings back what lies in the trash by itself, with all that was deleted with it, to the collections that are still there;
 * without any to the root. False: somebody was faster.
 */
export async function restoreItem(trx: Db, clock: Clock, item: Item, actor: Actor): Promise<boolean> {
  await holdTree(trx, item.ownerId)
  const restored = await trx
    .updateTable('fs_items')
    .set({ deleted_at: null, deletion_id: null, deleted_by: null, updated_at: clock.now() })
    .where('deletion_id', '=', item.id)
    .returning('id')
    .execute()
  if (restored.length === 0) return false
  // collections in the trash have lost it, however they come back
  await trx
    .deleteFrom('fs_relations')
    .where('child_id', '=', item.id)
    .where('parent_id', 'in', (query) =>
      query.selectFrom('fs_items').select('id').where('deleted_at', 'is not', null),
    )
    .execute()
  // what was moved around it meanwhile must not make the tree deeper than anything may be
  const depth = (await depthAbove(trx, [item.id])) + (await depthBelow(trx, item.id))
  if (depth > deepest) await removeParents(trx, item.id)
  const data = restored.length > 1 ? { items: restored.length } : {}
  await recordFile(trx, clock, 'file.restored', item, actor, data)
  return true
}
