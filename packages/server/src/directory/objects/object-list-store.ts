import type { objectListItem, objectListQuery } from '@gatehouse/contract/directory/directory'
import type { FolderType } from '@gatehouse/contract/directory/folders'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { walletsUnder } from '../../users/member-store.ts'
import { hasText } from '../text-search-store.ts'
import { pageSize } from '../users/user-list-store.ts'
import { type DirectoryKind, stateBits } from './object.ts'

type Query = z.output<typeof objectListQuery> & { readonly sort?: string | null }

/** Data from which the rows of all lists are built. */
export interface ListedObject {
  readonly id: number
  readonly kind: DirectoryKind
  readonly email: string
  readonly name: string
  readonly status: number
  readonly members: number
  readonly folderType: FolderType | null
  readonly deletedAt: Date | null
  /** Fields common to the rows of all lists. */
  readonly item: z.input<typeof objectListItem>
}

export interface ListedPage {
  readonly rows: readonly ListedObject[]
  readonly total: number
  readonly hasMore: boolean
}

export interface ListContext {
  readonly now: Date
  readonly withLdap: boolean
  /** Days within which a deleted object can be restored. */
  readonly retention: number
}

interface Row {
  total: number
  id: number | null
  email: string
  name: string
  status: number
  members: number
  folderType: FolderType | null
  createdAt: Date
  deletedAt: Date | null
}

/**
 * Returns one page of the objects of a kind in the accounts that a user owns or controls; reference
 * api-objects §0.1. The index `directory_objects_wallet` covers all filter and sort columns.
 */
export async function listObjects(
  db: Db,
  kind: DirectoryKind,
  readerId: number,
  query: Query,
  context: ListContext,
): Promise<ListedPage> {
  const size = query.size ?? pageSize
  const offset = ((query.page ?? 1) - 1) * size
  const direction = sql.raw(query.order === 'desc' ? 'desc' : 'asc')
  const { rows } = await sql<Row>`with matches as materialized (
      select o.id, o.sort_name, ${sortKey(query.sort)} as key from directory_objects o
      where ${objectMatches(kind, readerId, query, context)}
    ), page as (
      select * from matches order by key ${direction}, sort_name ${direction}, id
      limit ${size} offset ${offset}
    )
    select t.total, o.id, o.email, o.name, o.status, o.members, o.folder_type, o.created_at, o.deleted_at
    from (select count(*)::int as total from matches) t
      left join page p on true left join directory_objects o on o.id = p.id
    order by p.key ${direction}, p.sort_name ${direction}, p.id`.execute(db)
  const total = rows[0]?.total ?? 0
  // an empty page is a single row with the total
  const found = rows.flatMap((row) => (row.id === null ? [] : [toListed(kind, row.id, row, context)]))
  return { rows: found, total, hasMore: total > offset + found.length }
}

/** Returns the condition on objects `o` of a kind in the accounts a user owns or controls, filtered. */
export function objectMatches(
  kind: DirectoryKind,
  readerId: number,
  filter: Pick<Query, 'search' | 'status'>,
  context: ListContext,
): RawBuilder<unknown> {
  return sql`o.wallet_id = any(${walletsUnder(readerId)}) and o.kind = ${kind}
    ${stateCondition(kind, filter.status, context)} ${searchCondition(filter.search)}`
}

/** Returns the objects that match a filter, by address. */
export async function matchingObjects(
  db: Db,
  kind: DirectoryKind,
  readerId: number,
  filter: Pick<Query, 'search' | 'status'>,
  context: ListContext,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select o.id from directory_objects o
    where ${objectMatches(kind, readerId, filter, context)} order by o.email limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

function sortKey(sort: string | null | undefined): RawBuilder<unknown> {
  switch (sort) {
    case 'email':
      return sql`o.email`
    case 'created':
      return sql`o.created_at`
    case 'members':
      return sql`o.members`
    case 'type':
      return sql`o.folder_type`
    default:
      return sql`o.sort_name`
  }
}

function searchCondition(search: string | null | undefined): RawBuilder<unknown> {
  return search == null ? sql`` : sql`and ${hasText('o', search)}`
}

function stateCondition(
  kind: DirectoryKind,
  state: Query['status'],
  { now, withLdap, retention }: ListContext,
): RawBuilder<unknown> {
  // objects that can no longer be restored are hidden even before the nightly job has removed them
  if (state === 'deleted') {
    return sql`and o.deleted_at > ${after(now, -retention * day)}::timestamptz`
  }
  if (state == null) return sql`and o.deleted_at is null`
  const { all, none, notAll } = stateBits(kind, state, withLdap)
  return sql`and o.deleted_at is null and o.status & ${all}::int = ${all}::int and o.status & ${none}::int = 0
    and (${notAll}::int = 0 or o.status & ${notAll}::int <> ${notAll}::int)`
}

function toListed(kind: DirectoryKind, id: number, row: Row, context: ListContext): ListedObject {
  const until = row.deletedAt && after(row.deletedAt, context.retention * day)
  return {
    id,
    kind,
    email: row.email,
    name: row.name,
    status: row.status,
    members: row.members,
    folderType: row.folderType,
    deletedAt: row.deletedAt,
    item: {
      id,
      created_at: wireDate(row.createdAt),
      deleted_at: row.deletedAt && wireDate(row.deletedAt),
      restorable_until: until && wireDate(until),
    },
  }
}
