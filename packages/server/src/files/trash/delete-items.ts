import { sql } from 'kysely'
import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Item } from '../items/item.ts'
import { readItem } from '../items/item.ts'
import { holdTree } from '../items/tree-store.ts'
import { recordFile } from '../record.ts'

/**
 * Puts an item into the trash, a collection with everything that lies in it and nowhere else. Shares and links end: who
 * brings it back decides anew who may have it. False: somebody was faster.
 */
export async function deleteItem(trx: Db, clock: Clock, wanted: Item, actor: Actor): Promise<boolean> {
  await holdTree(trx, wanted.ownerId)
  const item = await readItem(trx, wanted.id)
  if (item === undefined || item.deletedAt !== null) return false
  const ids = await goingWith(trx, item.id)
  const now = clock.now()
  await trx
    .updateTable('fs_items')
    .set({ deleted_at: now, deletion_id: item.id, deleted_by: actor.userId ?? null })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  for (const table of ['fs_shares', 'fs_links'] as const) {
    await trx.deleteFrom(table).where('item_id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  }
  const data = ids.length > 1 ? { items: ids.length } : {}
  await recordFile(trx, clock, 'file.deleted', item, actor, data)
  return true
}

/** The item and what is below it, without what also lies in a collection that stays. */
async function goingWith(trx: Db, rootId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; parents: string[] }>`with recursive down(id) as (
      select ${rootId}::uuid
      union select r.child_id from down d join fs_relations r on r.parent_id = d.id
        join fs_items c on c.id = r.child_id and c.deleted_at is null)
    select d.id, array(select r.parent_id from fs_relations r join fs_items p on p.id = r.parent_id
      where r.child_id = d.id and p.deleted_at is null) as parents from down d`.execute(trx)
  const going = new Map(rows.map((row) => [row.id, row.parents]))
  // whatever stays keeps what is below it
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
