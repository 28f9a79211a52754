import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import { type Item, type ItemRow, itemColumns, toItem } from '../items/item.ts'

export interface TrashRow {
  readonly item: Item
  readonly deletedAt: Date
  readonly items: number
  readonly totalSize: number
  readonly from: string | null
  readonly deletedBy: string | null
}

export interface TrashQuery {
  readonly search: string | null
  readonly sort: 'deleted' | 'name' | 'size'
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** Lists a user's trash, without items deleted along with others. */
export async function trashOf(db: Db, ownerId: number, query: TrashQuery): Promise<TrashRow[]> {
  const columns = sql.join(itemColumns.map((name) => sql.ref(`i.${name}`)))
  const direction = sql.raw(query.order)
  const sorts = { deleted: sql`i.deleted_at`, name: sql`i.sort_name`, size: sql`total_size` }
  const { rows } = await sql<
    ItemRow & { items: number; totalSize: number; fromName: string | null; byEmail: string | null }
  >`select ${columns}, t.items, t.total_size,
      (select p.name from fs_relations r join fs_items p on p.id = r.parent_id
        where r.child_id = i.id order by p.id limit 1) as from_name,
      case when i.deleted_by is distinct from i.owner_id
        then (select u.email from users u where u.id = i.deleted_by and u.forgotten_at is null) end as by_email
    from fs_items i cross join lateral (
      select count(*) filter (where d.id <> i.id) as items,
        coalesce(sum((select sum(v.size) from fs_versions v where v.item_id = d.id)), 0)::bigint as total_size
      from fs_items d where d.deletion_id = i.id) t
    where i.owner_id = ${ownerId}::bigint and i.deletion_id = i.id ${matching(query.search)}
    order by ${sorts[query.sort]} ${direction}, i.id ${direction}
    limit ${query.limit} offset ${query.offset}`.execute(db)
  return rows.map((row) => ({
    item: toItem(row),
    deletedAt: row.deletedAt ?? row.updatedAt,
    items: row.items,
    totalSize: row.totalSize,
    from: row.fromName,
    deletedBy: row.byEmail,
  }))
}

export async function countTrash(db: Db, ownerId: number, search: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from fs_items i
    where i.owner_id = ${ownerId}::bigint and i.deletion_id = i.id ${matching(search)}`.execute(db)
  return rows[0]?.count ?? 0
}

function matching(search: string | null) {
  return search === null ? sql`` : sql`and fold_text(i.name) like ${foldedPattern(search)}`
}

/** Returns an item of a user's trash, unless it was deleted along with another one. */
export async function readTrashed(db: Db, ownerId: number, id: string): Promise<Item | undefined> {
  const row = await db
    .selectFrom('fsItems')
    .select(itemColumns)
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .whereRef('deletionId', '=', 'id')
    .executeTakeFirst()
  return row && toItem(row)
}

/** Returns a batch of a user's trash, or of all items trashed before a date. */
export async function someTrash(
  db: Db,
  which: { readonly ownerId: number } | { readonly before: Date },
  limit: number,
): Promise<Item[]> {
  let query = db.selectFrom('fsItems').select(itemColumns).whereRef('deletionId', '=', 'id')
  query =
    'ownerId' in which
      ? query.where('ownerId', '=', which.ownerId)
      : query.where('deletedAt', '<=', which.before)
  return (await query.orderBy('deletedAt').limit(limit).execute()).map(toItem)
}

/**
 * Permanently deletes a trashed item with everything deleted along with it: rows, versions, properties.
 * Returns the number of items.
 */
export async function removeTrashed(trx: Db, id: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('fsItems')
    .where('deletionId', '=', id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Returns an item and its descendants, with the parents of each. */
export async function parentsBelow(db: Db, rootId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; parents: string[] }>`with recursive down(id) as (
      select ${rootId}::uuid
      union select r.child_id from down d join fs_relations r on r.parent_id = d.id
        join fs_items c on c.id = r.child_id and c.deleted_at is null)
    select d.id, array(select r.parent_id from fs_relations r join fs_items p on p.id = r.parent_id
      where r.child_id = d.id and p.deleted_at is null) as parents from down d`.execute(db)
  return new Map(rows.map((row) => [row.id, row.parents]))
}

/** Moves items to the trash. They are restored together with the item of the deletion. */
export async function trashItems(
  trx: Db,
  ids: readonly string[],
  { deletionId, now, by }: { readonly deletionId: string; readonly now: Date; readonly by: number | null },
): Promise<void> {
  await trx
    .updateTable('fsItems')
    .set({ deletedAt: now, deletionId, deletedBy: by })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Ends the shares and links of items. */
export async function removeAccess(trx: Db, ids: readonly string[]): Promise<void> {
  for (const table of ['fsShares', 'fsLinks'] as const) {
    await trx.deleteFrom(table).where('itemId', '=', sql<string>`any(${ids}::uuid[])`).execute()
  }
}

/** Restores everything of a deletion from the trash. Returns the number of items. */
export async function restoreTrashed(trx: Db, deletionId: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('fsItems')
    .set({ deletedAt: null, deletionId: null, deletedBy: null, updatedAt: now })
    .where('deletionId', '=', deletionId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Removes an item from collections that are in the trash. */
export async function leaveTrashedParents(trx: Db, id: string): Promise<void> {
  await trx
    .deleteFrom('fsRelations')
    .where('childId', '=', id)
    .where('parentId', 'in', (query) =>
      query.selectFrom('fsItems').select('id').where('deletedAt', 'is not', null),
    )
    .execute()
}
