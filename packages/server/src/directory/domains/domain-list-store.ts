import type { DomainListItem, domainRoutes } from '@gatehouse/contract/directory/domains'
import { domainStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import { walletsUnder } from '../../users/member-store.ts'
import { pageSize } from '../users/user-list-store.ts'
import { domainFlags, readyBits } from './domain.ts'

type Query = z.output<(typeof domainRoutes)['GET /api/v4/domains']['query']>

export interface DomainListContext {
  readonly now: Date
  readonly withLdap: boolean
  /** Days within which a deleted domain can be restored. */
  readonly retention: number
}

export interface DomainPage {
  readonly list: DomainListItem[]
  readonly count: number
  readonly hasMore: boolean
  readonly total: number
}

interface Row {
  total: number
  id: number | null
  namespace: string
  displayName: string
  type: number
  status: number
  users: number
  createdAt: Date
  deletedAt: Date | null
}

/** Returns one page of the domains in the accounts a user owns or controls; reference api-objects §0.1. */
export async function listDomains(
  db: Db,
  readerId: number,
  query: Query,
  context: DomainListContext,
): Promise<DomainPage> {
  const size = query.size ?? pageSize
  const offset = ((query.page ?? 1) - 1) * size
  const direction = sql.raw(query.order === 'desc' ? 'desc' : 'asc')
  const key = query.sort === 'created' ? sql`d.created_at` : sql`d.namespace`
  // users are counted only for the rows of the page, in one pass over the index of their domains; deleted users
  // keep their address, but they are few
  const { rows } = await sql<Row>`with matches as materialized (
      select d.id, d.namespace, ${key} as key from domains d
      where ${domainMatches(readerId, query, context)}
    ), page as materialized (
      select id, namespace, key from matches order by key ${direction}, namespace ${direction}
      limit ${size} offset ${offset}
    ), counts as materialized (
      select a.domain, count(*)::int as users
      from (select distinct domain, object_id from addresses
          where domain = any(array(select namespace from page)) and kind in ('user', 'alias')) a
      where a.object_id not in (
        select id from users where wallet_id = any(${walletsUnder(readerId)}) and deleted_at is not null)
      group by a.domain
    )
    select t.total, d.id, d.namespace, d.display_name, d.type, d.status, d.created_at, d.deleted_at,
      coalesce(c.users, 0) as users
    from (select count(*)::int as total from matches) t
      left join page p on true left join domains d on d.id = p.id left join counts c on c.domain = p.namespace
    order by p.key ${direction}, p.namespace ${direction}`.execute(db)
  const total = rows[0]?.total ?? 0
  // an empty page is a single row with the total
  const list = rows.flatMap((row) => (row.id === null ? [] : [present(row.id, row, context)]))
  return { list, count: list.length, hasMore: total > offset + list.length, total }
}

/** Returns the ids of the domains that the list would show, by name. */
export async function matchingDomains(
  db: Db,
  readerId: number,
  filter: Pick<Query, 'search' | 'status'>,
  context: DomainListContext,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select d.id from domains d
    where ${domainMatches(readerId, filter, context)} order by d.namespace limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Returns the condition on domains `d` that a list shows: those in accounts a user owns or controls, filtered.
 */
export function domainMatches(
  readerId: number,
  filter: Pick<Query, 'search' | 'status'>,
  context: DomainListContext,
): RawBuilder<unknown> {
  return sql`d.wallet_id = any(${walletsUnder(readerId)}) ${stateCondition(filter.status, context)}
    ${searchCondition(filter.search)}`
}

/** Matches part of the readable name or of its ASCII form. */
function searchCondition(search: string | null | undefined): RawBuilder<unknown> {
  if (search == null) return sql``
  const pattern = foldedPattern(search)
  // the ASCII form is searched only if the pattern contains "xn--", otherwise its letters would match by
  // accident
  return pattern.includes('xn--')
    ? sql`and d.namespace like ${pattern}`
    : sql`and d.search_text like ${pattern}`
}

function stateCondition(state: Query['status'], context: DomainListContext): RawBuilder<unknown> {
  const { now, retention, withLdap } = context
  // domains that can no longer be restored are hidden even before the nightly job has released them
  if (state === 'deleted') return sql`and d.deleted_at > ${after(now, -retention * day)}::timestamptz`
  const ready = readyBits(withLdap)
  const isReady = sql`d.status & ${ready}::int = ${ready}::int`
  const isSuspended = sql`d.status & ${domainStatus.suspended}::int <> 0`
  switch (state) {
    case 'active':
      return sql`and d.deleted_at is null and ${isReady} and not ${isSuspended}`
    case 'pending':
      return sql`and d.deleted_at is null and not ${isReady} and not ${isSuspended}`
    case 'suspended':
      return sql`and d.deleted_at is null and ${isSuspended}`
    default:
      return sql`and d.deleted_at is null`
  }
}

function present(id: number, row: Row, { withLdap, retention }: DomainListContext): DomainListItem {
  const { status, deletedAt } = row
  return {
    id,
    namespace: row.namespace,
    displayName: row.displayName,
    type: row.type,
    users: row.users,
    created_at: wireDate(row.createdAt),
    deleted_at: deletedAt && wireDate(deletedAt),
    restorable_until: deletedAt && wireDate(after(deletedAt, retention * day)),
    ...domainFlags({ status, deletedAt }, withLdap),
  }
}
