import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Item, type ItemRow, itemColumns, toItem } from './item.ts'

/** Maximum depth below the root. Deeper trees are of no use and slow down every query. */
export const deepest = 100

/**
 * Locks an owner's tree until the transaction ends. Held while items are added, moved, deleted or restored, so
 * that concurrent changes can't create a cycle or take the same name.
 */
export async function holdTree(trx: Db, ownerId: number): Promise<void> {
  await trx
    .insertInto('fsUsage')
    .values({ userId: ownerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx.selectFrom('fsUsage').select('userId').where('userId', '=', ownerId).forUpdate().execute()
}

/** Returns the active collections that contain an item. */
export async function parentsOf(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('fsRelations as r')
    .innerJoin('fsItems as p', 'p.id', 'r.parentId')
    .select('r.parentId')
    .where('r.childId', '=', id)
    .where('p.deletedAt', 'is', null)
    .orderBy('r.parentId')
    .execute()
  return rows.map((row) => row.parentId)
}

/** Returns all ancestors of an item, and the item itself. */
export async function ancestorsOf(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`with recursive up(id) as (
      select unnest(${ids}::uuid[])
      union select r.parent_id from up join fs_relations r on r.child_id = up.id
        join fs_items p on p.id = r.parent_id and p.deleted_at is null)
    select id from up`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Returns the length of the longest path below an item; 0 if it has no children. */
export async function depthBelow(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ depth: number }>`with recursive down(id, depth) as (
      select ${id}::uuid, 0
      union select r.child_id, d.depth + 1 from down d join fs_relations r on r.parent_id = d.id
        join fs_items c on c.id = r.child_id and c.deleted_at is null
        where d.depth <= ${deepest}::int)
    select max(depth) as depth from down`.execute(db)
  return rows[0]?.depth ?? 0
}

/** Returns the length of the longest path from an item up to the root; 0 if it is in the root. */
export async function depthAbove(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ depth: number | null }>`with recursive up(id, depth) as (
      select unnest(${ids}::uuid[]), 1
      union select r.parent_id, u.depth + 1 from up u join fs_relations r on r.child_id = u.id
        join fs_items p on p.id = r.parent_id and p.deleted_at is null
        where u.depth <= ${deepest}::int)
    select max(depth) as depth from up`.execute(db)
  return rows[0]?.depth ?? 0
}

/** An item below another one, with the collection through which it was reached. */
export interface Descendant extends Item {
  readonly parentId: string
}

/** Returns active items below collections, nearest first, once for each collection that contains them. */
export async function descendantsOf(db: Db, ids: readonly string[], limit: number): Promise<Descendant[]> {
  const columns = sql.join(itemColumns.map((name) => sql.ref(`c.${name}`)))
  const { rows } = await sql<ItemRow & { parentId: string }>`with recursive down(id, depth) as (
      select unnest(${ids}::uuid[]), 0
      union select r.child_id, d.depth + 1 from down d join fs_relations r on r.parent_id = d.id
        join fs_items c on c.id = r.child_id and c.deleted_at is null
        where d.depth <= ${deepest}::int),
    nearest as (select id, min(depth) as depth from down group by id)
    select ${columns}, r.parent_id from nearest n join fs_relations r on r.parent_id = n.id
      join fs_items c on c.id = r.child_id and c.deleted_at is null
    order by n.depth, c.sort_name, c.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...toItem(row), parentId: row.parentId }))
}

/** One step of a path. */
interface Step {
  readonly id: string
  readonly name: string
}

/**
 * Returns the paths from the root, or from `from`, to items, without the items themselves. If an item has
 * several parents, the oldest collection below `from` is used.
 */
export async function pathsTo(
  db: Db,
  ids: readonly string[],
  from?: string,
): Promise<ReadonlyMap<string, readonly Step[]>> {
  const root = from ?? null
  const { rows } = await sql<Step & { item: string }>`with recursive up(item, id, name, depth) as (
      select i.id, i.id, i.name, 0 from fs_items i where i.id = any(${ids}::uuid[])
      union all select u.item, p.id, p.name, u.depth + 1 from up u
        cross join lateral (select p.id, p.name from fs_relations r join fs_items p on p.id = r.parent_id
          where r.child_id = u.id and p.deleted_at is null
            and (${root}::uuid is null or exists (
              with recursive above(id) as (select p.id union select r2.parent_id from above a
                join fs_relations r2 on r2.child_id = a.id)
              select from above where above.id = ${root}::uuid))
          order by p.id limit 1) p
        where u.depth < ${deepest}::int and u.id is distinct from ${root}::uuid)
    select item, id, name from up where depth > 0 order by depth desc`.execute(db)
  const paths = new Map<string, Step[]>()
  for (const { item, id, name } of rows) paths.set(item, [...(paths.get(item) ?? []), { id, name }])
  return paths
}

/** Same as `pathsTo`, for one item. */
export async function pathTo(db: Db, id: string, from?: string): Promise<readonly Step[]> {
  return (await pathsTo(db, [id], from)).get(id) ?? []
}

/** Adds an item to collections; existing relations are kept. */
export async function addParents(db: Db, childId: string, parents: readonly string[]): Promise<void> {
  if (parents.length === 0) return
  await db
    .insertInto('fsRelations')
    .values(parents.map((parentId) => ({ parentId, childId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes an item from some or all collections. */
export async function removeParents(db: Db, childId: string, parents?: readonly string[]): Promise<void> {
  let query = db.deleteFrom('fsRelations').where('childId', '=', childId)
  if (parents !== undefined) {
    if (parents.length === 0) return
    query = query.where('parentId', 'in', [...parents])
  }
  await query.execute()
}

/** Condition on items `i` that are in a collection or, with null, in an owner's root. */
export function liesIn(parentId: string | null, ownerId: number) {
  return parentId === null
    ? sql<boolean>`i.owner_id = ${ownerId}::bigint and not exists (select from fs_relations r
        join fs_items p on p.id = r.parent_id where r.child_id = i.id and p.deleted_at is null)`
    : sql<boolean>`exists (select from fs_relations r where r.child_id = i.id and r.parent_id = ${parentId}::uuid)`
}

/** Returns active items with these names in a collection or the root, oldest first. */
export async function itemsNamed(
  db: Db,
  place: { readonly parentId: string | null; readonly ownerId: number },
  names: readonly string[],
): Promise<Item[]> {
  const rows = await db
    .selectFrom('fsItems as i')
    .select(itemColumns.map((name) => `i.${name}` as const))
    .where('i.name', 'in', [...names])
    .where('i.deletedAt', 'is', null)
    .where(liesIn(place.parentId, place.ownerId))
    .orderBy('i.createdAt')
    .orderBy('i.id')
    .execute()
  return rows.map(toItem)
}

/** Returns all names in a collection or the root. */
export async function namesIn(
  db: Db,
  place: { readonly parentId: string | null; readonly ownerId: number },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('fsItems as i')
    .select('i.name')
    .where('i.deletedAt', 'is', null)
    .where(liesIn(place.parentId, place.ownerId))
    .execute()
  return new Set(rows.map((row) => row.name))
}
