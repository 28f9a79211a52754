import { type FieldWith, fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import type {
  ProtectionKind,
  UserListItem,
  userRoutes,
  userStates,
} from '@gatehouse/contract/directory/users'
import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { protectionKindsOf } from '../../sessions/second-factor/factor-store.ts'
import { walletsUnder } from '../../users/member-store.ts'
import type { Retention } from '../../users/retention.ts'
import { userFlags } from '../../users/user.ts'
import { hasText } from '../text-search-store.ts'

type Query = z.output<(typeof userRoutes)['GET /api/v4/users']['query']>

type State = (typeof userStates)[number]

/** The part of a query that filters users. */
export type UserFilter = Pick<Query, 'search' | 'status'>

/** Dependencies of a user list apart from the query. */
export interface ListFacts {
  readonly withLdap: boolean
  readonly retention: Retention
}

export const pageSize = 20

interface Row {
  total: number
  id: number | null
  email: string
  status: number
  createdAt: Date
  deletedAt: Date | null
  ownerId: number
  ownerStatus: number
  factors: ProtectionKind[]
  settings: Partial<Record<FieldWith<'isListed'>, string>>
}

export interface UserPage {
  readonly list: UserListItem[]
  readonly count: number
  readonly hasMore: boolean
  readonly total: number
}

/**
 * Returns one page of the users in the accounts that a user owns or controls. The index `users_wallet` covers
 * all filter and sort columns; tables are read only for the rows of the page.
 */
export async function listUsers(db: Db, readerId: number, query: Query, facts: ListFacts): Promise<UserPage> {
  const size = query.size ?? pageSize
  const offset = ((query.page ?? 1) - 1) * size
  const direction = sql.raw(query.order === 'desc' ? 'desc' : 'asc')
  const { rows } = await sql<Row>`with matches as materialized (
      select u.id, u.email, ${sortKey(query.sort)} as key from users u
      where ${userMatches(readerId, query, facts)}
    ), page as (
      select id, email, key from matches order by key ${direction}, email ${direction}
      limit ${size} offset ${offset}
    )
    select t.total, u.id, u.email, u.status, u.created_at, u.deleted_at, o.id as owner_id, o.status as owner_status,
      ${protectionKindsOf} as factors,
      (select coalesce(json_object_agg(key, value), '{}') from user_settings
        where user_id = u.id and key = any(${fieldsWith('isListed')})) as settings
    from (select count(*)::int as total from matches) t
      left join page p on true
      left join users u on u.id = p.id left join wallets w on w.id = u.wallet_id left join users o on o.id = w.user_id
    order by p.key ${direction}, p.email ${direction}`.execute(db)
  const total = rows[0]?.total ?? 0
  // an empty page is a single row with the total
  const list = rows.flatMap((row) => (row.id === null ? [] : [present(row.id, row, facts)]))
  return { list, count: list.length, hasMore: total > offset + list.length, total }
}

/**
 * Returns the condition on users `u` in the accounts a user owns or controls, filtered. Deleted users are
 * listed separately.
 */
export function userMatches(readerId: number, filter: UserFilter, facts: ListFacts): RawBuilder<unknown> {
  const { search, status } = filter
  const living =
    status === 'deleted'
      ? sql`u.deleted_at > ${facts.retention.since()}::timestamptz and u.forgotten_at is null`
      : sql`u.deleted_at is null`
  return sql`u.wallet_id = any(${walletsUnder(readerId)}) and ${living}
    ${stateCondition(status, readerId, facts.withLdap)} ${searchCondition(search)}`
}

/** Returns the users that match a filter, by address. */
export async function matchingUsers(
  db: Db,
  readerId: number,
  filter: UserFilter,
  facts: ListFacts,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select u.id from users u
    where ${userMatches(readerId, filter, facts)} order by u.email limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

function sortKey(sort: Query['sort']): RawBuilder<unknown> {
  if (sort === 'name') return sql`u.sort_name`
  return sort === 'created' ? sql`u.created_at` : sql`u.email`
}

function searchCondition(search: string | null | undefined): RawBuilder<unknown> {
  return search == null ? sql`` : sql`and ${hasText('u', search)}`
}

function stateCondition(
  state: State | null | undefined,
  readerId: number,
  withLdap: boolean,
): RawBuilder<unknown> {
  const { active, imapReady, ldapReady, suspended, degraded } = userStatus
  const ready = active | imapReady | (withLdap ? ldapReady : 0)
  const isReady = sql`u.status & ${ready}::int = ${ready}::int`
  const isSuspended = sql`u.status & ${suspended}::int <> 0`
  const isDegraded = sql`(u.status & ${degraded}::int <> 0 or u.wallet_id = any(array(
    select w.id from wallets w join users o on o.id = w.user_id
    where w.id = any(${walletsUnder(readerId)}) and o.status & ${degraded}::int <> 0)))`
  switch (state) {
    case 'active':
      return sql`and ${isReady} and not ${isSuspended} and not ${isDegraded}`
    case 'pending':
      return sql`and not ${isReady}`
    case 'suspended':
      return sql`and ${isSuspended}`
    case 'degraded':
      return sql`and ${isDegraded}`
    default:
      return sql``
  }
}

function present(id: number, row: Row, { withLdap, retention }: ListFacts): UserListItem {
  const isDegraded = (row.ownerStatus & userStatus.degraded) !== 0
  return {
    id,
    email: row.email,
    ...forFields(fieldsWith('isListed'), (name) => row.settings[name] ?? null),
    created_at: wireDate(row.createdAt),
    deleted_at: row.deletedAt && wireDate(row.deletedAt),
    restorable_until: row.deletedAt && wireDate(retention.until(row.deletedAt)),
    isOwner: id === row.ownerId,
    factors: row.factors,
    ...userFlags({ status: row.status, deletedAt: row.deletedAt }, isDegraded, withLdap),
  }
}
