import type { FileSortKey } from '@gatehouse/contract/files/file-items'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import { addressesOf } from '../share-store.ts'
import { type Item, type ItemRow, itemColumns, toItem } from './item.ts'
import { deepest, liesIn } from './tree-store.ts'

/** Filter and order of a list. */
export interface ListQuery {
  readonly search: string | null
  readonly type: 'file' | 'collection' | null
  readonly sort: FileSortKey
  readonly order: 'asc' | 'desc'
  readonly collectionsFirst: boolean
  readonly offset: number
  readonly limit: number
}

export interface ListRow extends Item {
  readonly isShared: boolean
}

const columns = sql.join(itemColumns.map((name) => sql.ref(`i.${name}`)))

/** Where to list. */
export interface ListPlace {
  readonly ownerId: number
  /** Null: the root. */
  readonly collectionId: string | null
  /** Includes everything below. */
  readonly isRecursive: boolean
}

/** Lists the items of a collection or the root. */
export async function listItems(
  db: Db,
  place: ListPlace,
  query: ListQuery,
): Promise<{ readonly rows: ListRow[]; readonly total: number }> {
  const from = place.isRecursive ? below(place) : sql`fs_items i`
  const condition = place.isRecursive ? sql`true` : liesIn(place.collectionId, place.ownerId)
  const where = sql`where i.deleted_at is null and ${condition} ${matching(query)}`
  const { rows } = await sql<ItemRow & { isShared: boolean; total: number }>`select ${columns},
      (exists (select from fs_shares s where s.item_id = i.id)
        or exists (select from fs_links l where l.item_id = i.id)) as is_shared
    from ${from} ${where} order by ${ordering(query)} limit ${query.limit} offset ${query.offset}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from ${from} ${where}`.execute(db)
  return {
    rows: rows.map((row) => ({ ...toItem(row), isShared: row.isShared })),
    total: counted.rows[0]?.total ?? 0,
  }
}

/** Selects everything below a collection, or everything of an owner. */
function below({ ownerId, collectionId }: ListPlace): RawBuilder<unknown> {
  if (collectionId === null) return sql`(select * from fs_items where owner_id = ${ownerId}::bigint) i`
  return sql`(with recursive down(id, depth) as (
      select ${collectionId}::uuid, 0
      union select r.child_id, d.depth + 1 from down d join fs_relations r on r.parent_id = d.id
        join fs_items c on c.id = r.child_id and c.deleted_at is null where d.depth <= ${deepest}::int)
    select * from fs_items where id in (select id from down where depth > 0)) i`
}

/** A shared item with its share. */
export interface SharedRow extends Item {
  readonly shareId: string
  readonly rights: 'read-only' | 'read-write'
  readonly sharedAt: Date
}

/**
 * Lists items shared with a user's addresses whose owners are active; one share per item, the one with more
 * rights.
 */
export async function listShared(
  db: Db,
  reader: { readonly userId: number; readonly tenantId: number },
  query: ListQuery,
  blockedStatus: number,
): Promise<{ readonly rows: SharedRow[]; readonly total: number }> {
  const { rows } = await sql<
    ItemRow & {
      shareId: string
      rights: 'read-only' | 'read-write'
      sharedAt: Date
      total: number
    }
  >`select ${columns}, s.id as share_id, s.rights, s.created_at as shared_at, count(*) over () as total
    from (select distinct on (item_id) * from fs_shares where address in ${addressesOf(reader.userId)}
      order by item_id, rights desc, id) s
    join fs_items i on i.id = s.item_id join users o on o.id = i.owner_id
    where i.deleted_at is null and i.tenant_id = ${reader.tenantId}::int and i.owner_id <> ${reader.userId}::bigint
      and o.deleted_at is null and o.status & ${blockedStatus}::int = 0 ${matching(query)}
    order by ${ordering(query)} limit ${query.limit} offset ${query.offset}`.execute(db)
  return {
    rows: rows.map((row) => ({
      ...toItem(row),
      shareId: row.shareId,
      rights: row.rights,
      sharedAt: row.sharedAt,
    })),
    total: rows[0]?.total ?? 0,
  }
}

function matching({ search, type }: ListQuery): RawBuilder<unknown> {
  const name = search === null ? sql`` : sql`and fold_text(i.name) like ${foldedPattern(search)}`
  return type === null ? name : sql`${name} and i.type = ${type}`
}

function ordering({ sort, order, collectionsFirst }: ListQuery): RawBuilder<unknown> {
  const keys: Record<FileSortKey, RawBuilder<unknown>> = {
    name: sql`i.sort_name`,
    size: sql`i.size`,
    mtime: sql`i.changed_at`,
    created: sql`i.created_at`,
    type: sql`coalesce(i.mimetype, '')`,
  }
  const direction = sql.raw(order)
  const first = collectionsFirst ? sql`i.type, ` : sql``
  return sql`${first}${keys[sort]} ${direction}, i.sort_name ${direction}, i.id ${direction}`
}

/** Returns names and addresses of users by id. */
export async function ownersOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { email: string; name: string }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; email: string; name: string }>`select u.id, u.email,
      coalesce(nullif(trim(concat_ws(' ',
        (select value from user_settings where user_id = u.id and key = 'first_name'),
        (select value from user_settings where user_id = u.id and key = 'last_name'))), ''), u.email) as name
    from users u where u.id = any(${[...new Set(ids)]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, email, name }) => [id, { email, name }]))
}
