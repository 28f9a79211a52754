import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { type eventRoutes, utc } from '@gatehouse/contract/events'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { walletsUnder } from '../member-store.ts'
import { userSetting } from '../setting-store.ts'

type Query = z.output<(typeof eventRoutes)['GET /api/v4/events']['query']>
type SignInQuery = z.output<(typeof eventRoutes)['GET /api/v4/sign-ins']['query']>

export type EventFilter = Pick<Query, 'objectType' | 'object' | 'actor' | 'event' | 'from' | 'to'>
export type SignInFilter = Pick<SignInQuery, 'outcome' | 'from' | 'to'>

/** A page of a list, newest events first. */
export interface Part {
  readonly limit: number
  readonly offset: number
}

/** An event as listed, with its object's current name. */
export interface EventRow {
  readonly id: string
  readonly objectType: string
  readonly objectId: number
  readonly object: string | null
  readonly objectDeleted: boolean
  readonly event: string
  readonly actorId: number | null
  readonly actorEmail: string | null
  readonly actorRole: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly staffEmail: string | null
  readonly apiKey: string | null
  readonly ip: string | null
  readonly comment: string | null
  readonly data: Record<string, unknown> | null
  /** Type of the entry's file, unless it is deleted. */
  readonly fileType: 'file' | 'collection' | null
  readonly createdAt: Date
  readonly times: number
  readonly lastAt: Date | null
}

/** Returns events of the accounts a user owns or controls. */
export function readAccountEvents(
  db: Db,
  readerId: number,
  filter: EventFilter,
  part: Part,
): Promise<EventRow[]> {
  // per account, so that each part is read in index order
  const source = sql`unnest(${walletsUnder(readerId)}) as account(id)
    cross join lateral (select * from event_log e where e.wallet_id = account.id ${conditions(filter)}
      order by e.created_at desc, e.id desc limit ${part.offset + part.limit}) e`
  return readPart(db, source, part)
}

/** Returns an object's events. */
export function readObjectEvents(
  db: Db,
  object: { readonly type: string; readonly id: number },
  filter: EventFilter,
  part: Part,
): Promise<EventRow[]> {
  const source = sql`event_log e where e.object_type = ${object.type} and e.object_id = ${object.id}
    ${conditions(filter)}`
  return readPart(db, source, part)
}

/** Returns a user's sign-ins and related events. */
export function readSignIns(db: Db, userId: number, filter: SignInFilter, part: Part): Promise<EventRow[]> {
  const { outcome, from, to } = filter
  // the sign-in list has no other filters
  const rest = { objectType: null, object: null, actor: null, event: null }
  const source = sql`event_log e where e.object_type = 'user' and e.object_id = ${userId}
    and ${outcomeIs(outcome)} ${conditions({ ...rest, from, to })}`
  return readPart(db, source, part)
}

/** Returns events of a file or collection. */
export function readFileEvents(
  db: Db,
  file: { readonly id: string; readonly ownerId: number },
  part: Part,
): Promise<EventRow[]> {
  const source = sql`event_log e where e.data ->> 'file' = ${file.id}
    and e.object_type = 'user' and e.object_id = ${file.ownerId}::bigint`
  return readPart(db, source, part)
}

async function readPart(db: Db, source: RawBuilder<unknown>, { limit, offset }: Part): Promise<EventRow[]> {
  const { rows } =
    await sql<EventRow>`select e.id, e.object_type, e.object_id, e.event, e.actor_id, e.actor_email, e.staff_email,
      e.api_key, e.ip, e.comment, e.data, e.created_at, e.times, e.last_at,
      case e.object_type when 'user' then (select email from users where id = e.object_id and forgotten_at is null)
        when 'domain' then (select namespace from domains where id = e.object_id)
        when 'room' then (select name from rooms where id = e.object_id)
        when 'group' then (select email from directory_objects where id = e.object_id)
        when 'resource' then (select name from directory_objects where id = e.object_id)
        when 'shared-folder' then (select name from directory_objects where id = e.object_id) end as object,
      coalesce(case e.object_type when 'user' then (select deleted_at is not null from users where id = e.object_id)
        when 'domain' then (select deleted_at is not null from domains where id = e.object_id)
        when 'room' then (select deleted_at is not null from rooms where id = e.object_id)
        else (select deleted_at is not null from directory_objects where id = e.object_id) end, false)
        as object_deleted,
      u.role as actor_role, ${userSetting('first_name')} as first_name, ${userSetting('last_name')} as last_name,
      (select type from fs_items where id = (e.data ->> 'file')::uuid and deleted_at is null) as file_type
    from (select e.* from ${source}) e left join users u on u.id = e.actor_id
    order by e.created_at desc, e.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

function outcomeIs(outcome: SignInQuery['outcome']): RawBuilder<unknown> {
  if (outcome === 'succeeded') return sql`e.event = 'sign-in.succeeded'`
  if (outcome === 'failed') {
    return sql`(e.event in ('sign-in.failed', 'sign-in.proof-failed', 'sign-in.denied', 'session.token-reused')
      or starts_with(e.event, 'access.'))`
  }
  return sql`(starts_with(e.event, 'sign-in.') or starts_with(e.event, 'session.')
    or starts_with(e.event, 'access.'))`
}

function conditions(query: EventFilter): RawBuilder<unknown> {
  const { actor, event, from, to } = query
  return sql.join(
    [
      query.objectType == null ? sql`` : sql`and e.object_type = ${query.objectType}`,
      query.object == null ? sql`` : sql`and e.object_id = ${Number(query.object)}::bigint`,
      actor == null ? sql`` : actorIs(actor),
      event == null ? sql`` : eventIs(event),
      from == null ? sql`` : sql`and e.created_at >= ${new Date(utc(from))}::timestamptz`,
      to == null ? sql`` : sql`and e.created_at < ${endOf(to)}::timestamptz`,
    ],
    sql` `,
  )
}

function actorIs(actor: string): RawBuilder<unknown> {
  return /^\d{1,10}$/.test(actor)
    ? sql`and e.actor_id = ${Number(actor)}::bigint`
    : sql`and e.actor_email = ${canonicalAddress(actor)}`
}

function eventIs(event: string): RawBuilder<unknown> {
  return event.endsWith('.') ? sql`and starts_with(e.event, ${event})` : sql`and e.event = ${event}`
}

/** A date includes its whole day, a time its second. */
function endOf(text: string): Date {
  return after(new Date(utc(text)), text.length === 10 ? day : 1)
}
