import type { AuditEvent, eventRoutes } from '@gatehouse/contract/events'
import type { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { fullName } from '../user.ts'
import {
  type EventFilter,
  type EventRow,
  type Part,
  readAccountEvents,
  readFileEvents,
  readObjectEvents,
  readSignIns,
  type SignInFilter,
} from './event-store.ts'
import { eventTitle, presentOccurrences } from './event-title.ts'

/** Pagination of a list. */
type Paging = Pick<z.output<(typeof eventRoutes)['GET /api/v4/events']['query']>, 'page' | 'size'>

export const eventPageSize = 20

export interface EventPage {
  readonly list: AuditEvent[]
  readonly count: number
  readonly hasMore: boolean
}

/** Returns events in the accounts a user owns or controls, newest first. */
export function accountEvents(
  db: Db,
  readerId: number,
  query: EventFilter & Paging,
  t: Translate,
): Promise<EventPage> {
  return readPage((part) => readAccountEvents(db, readerId, query, part), query, t)
}

/** Returns an object's events, newest first. */
export function objectEvents(
  db: Db,
  object: { readonly type: string; readonly id: number },
  query: EventFilter & Paging,
  t: Translate,
): Promise<EventPage> {
  return readPage((part) => readObjectEvents(db, object, query, part), query, t)
}

/** Returns a user's sign-ins and related events, newest first. */
export function signInEvents(
  db: Db,
  userId: number,
  query: SignInFilter & Paging,
  t: Translate,
): Promise<EventPage> {
  return readPage((part) => readSignIns(db, userId, query, part), query, t)
}

/** Returns events of a file or collection, newest first. */
export function fileEvents(
  db: Db,
  file: { readonly id: string; readonly ownerId: number },
  query: Paging,
  t: Translate,
): Promise<EventPage> {
  return readPage((part) => readFileEvents(db, file, part), query, t)
}

async function readPage(
  read: (part: Part) => Promise<EventRow[]>,
  query: Paging,
  t: Translate,
): Promise<EventPage> {
  const size = query.size ?? eventPageSize
  // read one more than a page to know whether there are more
  const rows = await read({ limit: size + 1, offset: ((query.page ?? 1) - 1) * size })
  const list = rows.slice(0, size).map((row) => present(row, t))
  return { list, count: list.length, hasMore: rows.length > size }
}

function present(row: EventRow, t: Translate): AuditEvent {
  const isStaff = row.actorRole !== null
  const actorName = isStaff ? '' : fullName(row)
  return {
    id: row.id,
    createdAt: wireDate(row.createdAt),
    ...presentOccurrences(row),
    event: row.event,
    title: eventTitle(row, t),
    objectType: row.objectType,
    objectId: row.objectId,
    object: row.object,
    objectDeleted: row.objectDeleted,
    actorId: row.actorId,
    actor: row.actorEmail,
    ...(actorName !== '' && { actorName }),
    ...(isStaff && { byStaff: true }),
    ...(row.staffEmail !== null && { onBehalf: row.staffEmail }),
    ...(row.apiKey !== null && { apiKey: row.apiKey }),
    ip: row.ip,
    comment: row.comment,
    data: row.data,
    ...(row.fileType !== null && { file: row.fileType }),
  }
}
