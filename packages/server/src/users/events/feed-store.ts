import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** An event as delivered to programs. */
export interface FeedRow {
  readonly id: string
  readonly position: number
  readonly objectType: string
  readonly objectId: number
  readonly object: string | null
  readonly event: string
  readonly actorId: number | null
  readonly isStaff: boolean
  readonly apiKey: string | null
  readonly data: Record<string, unknown> | null
  readonly createdAt: Date
}

/** Events numbered in one transaction. */
export const eventBatch = 5000

/**
 * Gives committed events their positions; returns the number of events. Does nothing while another process does
 * it: a position is visible before the next one is given, so readers never miss an event.
 */
export async function numberEvents(db: Db): Promise<number> {
  const { rows } = await sql<{ numbered: number }>`with turn as materialized (
      select pg_try_advisory_xact_lock(hashtext('event_positions')) as is_ours
    ), waiting as materialized (
      select id from event_log where (select is_ours from turn) and position is null and wallet_id is not null
      order by created_at, id limit ${eventBatch} for update skip locked
    ), placed as (
      update event_log e set position = w.position
      from (select id, nextval('event_positions') as position from waiting) w
      where e.id = w.id and e.position is null
      returning 1
    ) select count(*)::integer as numbered from placed`.execute(db)
  return rows[0]?.numbered ?? 0
}

export interface FeedFilter {
  /** An array of accounts in SQL. */
  readonly wallets: RawBuilder<unknown>
  readonly after: number
  readonly limit: number
  /** Name of a type, or the beginning of names with a dot at the end. */
  readonly type?: string | undefined
}

/** Returns numbered events of accounts after a position, in their order. */
export async function readFeed(db: Db, filter: FeedFilter): Promise<FeedRow[]> {
  const { wallets, after, limit, type } = filter
  const isOfType =
    type === undefined
      ? sql``
      : type.endsWith('.')
        ? sql`and starts_with(e.event, ${type})`
        : sql`and e.event = ${type}`
  // per account, so that each part is read in index order
  const source = sql`unnest(${wallets}) as account(id)
    cross join lateral (select * from event_log e where e.wallet_id = account.id
      and e.position > ${after}::bigint ${isOfType} order by e.position limit ${limit}) e`
  const { rows } = await feedRows(source, sql`order by e.position limit ${limit}`).execute(db)
  return rows
}

/** Returns SQL that selects events from `source` as they are delivered. */
export function feedRows(source: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  return sql<FeedRow>`select e.id, e.position, e.object_type, e.object_id, e.event, e.actor_id, e.api_key, e.data,
      e.created_at, (e.staff_id is not null or u.role is not null) as is_staff,
      case e.object_type when 'user' then (select email from users where id = e.object_id and forgotten_at is null)
        when 'domain' then (select namespace from domains where id = e.object_id)
        when 'room' then (select name from rooms where id = e.object_id)
        when 'group' then (select email from directory_objects where id = e.object_id)
        when 'resource' then (select name from directory_objects where id = e.object_id)
        when 'shared-folder' then (select name from directory_objects where id = e.object_id) end as object
    from (select e.* from ${source}) e left join users u on u.id = e.actor_id ${order}`
}
