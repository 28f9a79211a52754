import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { type AuditEvent, type eventRoutes, utc } from '@gatehouse/contract/events'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { walletsUnder } from '../member-store.ts'
import { eventTitle, presentOccurrences } from './event-title.ts'

type Query = z.output<(typeof eventRoutes)['GET /api/v4/events']['query']>

export const eventPageSize = 20

interface Row {
  id: string
  object_type: string
  object_id: number
  object: string | null
  object_deleted: boolean
  event: string
  actor_id: number | null
  actor_email: string | null
  staff_email: string | null
  ip: string | null
  comment: string | null
  data: Record<string, unknown> | null
  created_at: Date
  times: number
  last_at: Date | null
}

export interface EventPage {
  readonly list: AuditEvent[]
  readonly count: number
  readonly hasMore: boolean
}

/** What happened in the accounts that a user owns or controls, newest first. */
export function accountEvents(db: Db, readerId: number, query: Query, t: Translate): Promise<EventPage> {
  // by account, so that each part is read from the index in its order
  const source = (limit: number) => sql`unnest(${walletsUnder(readerId)}) as account(id)
    cross join lateral (select * from event_log e where e.wallet_id = account.id ${conditions(query)}
      order by e.created_at desc, e.id desc limit ${limit}) e`
  return readPage(db, source, query, t)
}

/** What happened to one object, newest first. */
export function objectEvents(
  db: Db,
  object: { readonly type: string; readonly id: number },
  query: Query,
  t: Translate,
): Promise<EventPage> {
  const source = () => sql`event_log e where e.object_type = ${object.type} and e.object_id = ${object.id}
    ${conditions(query)}`
  return readPage(db, source, query, t)
}

type SignInQuery = z.output<(typeof eventRoutes)['GET /api/v4/sign-ins']['query']>

/** Sign-ins of a user and what belongs to them, newest first. */
export function signInEvents(db: Db, userId: number, query: SignInQuery, t: Translate): Promise<EventPage> {
  const source = () => sql`event_log e where e.object_type = 'user' and e.object_id = ${userId}
    and ${outcomeIs(query.outcome)} ${conditions({ ...query, ...everything })}`
  return readPage(db, source, { ...query, ...everything }, t)
}

/** No filter on what the list of sign-ins settles itself. */
const everything = { objectType: null, object: null, actor: null, event: null }

function outcomeIs(outcome: SignInQuery['outcome']): RawBuilder<unknown> {
  if (outcome === 'succeeded') return sql`e.event = 'sign-in.succeeded'`
  if (outcome === 'failed') {
    return sql`(e.event in ('sign-in.failed', 'sign-in.proof-failed', 'sign-in.denied', 'session.token-reused')
      or starts_with(e.event, 'access.'))`
  }
  return sql`(starts_with(e.event, 'sign-in.') or starts_with(e.event, 'session.')
    or starts_with(e.event, 'access.'))`
}

/** What happened to a file or collection, newest first. */
export function fileEvents(
  db: Db,
  file: { readonly id: string; readonly ownerId: number },
  query: Omit<Query, 'objectType' | 'object' | 'actor' | 'event' | 'from' | 'to'>,
  t: Translate,
): Promise<EventPage> {
  const source = () => sql`event_log e where e.data ->> 'file' = ${file.id}
    and e.object_type = 'user' and e.object_id = ${file.ownerId}::bigint`
  return readPage(db, source, { ...query, objectType: null, object: null }, t)
}

async function readPage(
  db: Db,
  source: (limit: number) => RawBuilder<unknown>,
  query: Query,
  t: Translate,
): Promise<EventPage> {
  const size = query.size ?? eventPageSize
  const offset = ((query.page ?? 1) - 1) * size
  const { rows } =
    await sql<Row>`select e.id, e.object_type, e.object_id, e.event, e.actor_id, e.actor_email, e.staff_email,
      e.ip, e.comment, e.data, e.created_at, e.times, e.last_at,
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
        as object_deleted
    from (select e.* from ${source(offset + size + 1)}) e
    order by e.created_at desc, e.id desc limit ${size + 1} offset ${offset}`.execute(db)
  const list = rows.slice(0, size).map((row) => present(row, t))
  return { list, count: list.length, hasMore: rows.length > size }
}

function conditions(query: Query): RawBuilder<unknown> {
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

/** A day lasts until the next one, a moment for its second. */
function endOf(text: string): Date {
  return after(new Date(utc(text)), text.length === 10 ? day : 1)
}

function present(row: Row, t: Translate): AuditEvent {
  return {
    id: row.id,
    createdAt: wireDate(row.created_at),
    ...presentOccurrences(row),
    event: row.event,
    title: eventTitle(row, t),
    objectType: row.object_type,
    objectId: row.object_id,
    object: row.object,
    objectDeleted: row.object_deleted,
    actorId: row.actor_id,
    actor: row.actor_email,
    ...(row.staff_email !== null && { onBehalf: row.staff_email }),
    ip: row.ip,
    comment: row.comment,
    data: row.data,
  }
}
