import type { LogEntry, LoggedType, SuspensionReason } from '@gatehouse/contract/staff/staff-views'
import { sql } from 'kysely'
import { wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { eventTitle, presentOccurrences } from '../users/events/event-title.ts'
import { isSuspensionReason } from '../users/suspension.ts'
import type { Part } from './search/user-search-store.ts'

export const logPageSize = 20

interface Row {
  id: string
  event: string
  actorEmail: string | null
  staffEmail: string | null
  apiKey: string | null
  ip: string | null
  comment: string | null
  data: Record<string, unknown> | null
  createdAt: Date
  times: number
  lastAt: Date | null
}

/** Returns an object's events, newest first; reference api-billing-admin §21. */
export async function readLog(
  db: Db,
  object: { readonly type: LoggedType; readonly id: number },
  { page, size }: Part,
  t: Translate,
): Promise<{ list: LogEntry[]; count: number; hasMore: boolean }> {
  const { rows } = await sql<Row>`select id, event, actor_email, staff_email, api_key, ip, comment, data,
      created_at, times, last_at
    from event_log where object_type = ${object.type} and object_id = ${object.id}
    order by created_at desc, id desc limit ${size + 1} offset ${(page - 1) * size}`.execute(db)
  const list = rows.slice(0, size).map((row) => present(row, t))
  return { list, count: list.length, hasMore: rows.length > size }
}

function present(row: Row, t: Translate): LogEntry {
  return {
    id: row.id,
    createdAt: wireDate(row.createdAt),
    ...presentOccurrences(row),
    event: eventTitle(row, t),
    kind: row.event,
    comment: row.comment,
    data: row.data,
    user: row.actorEmail,
    onBehalf: row.staffEmail,
    apiKey: row.apiKey,
    ip: row.ip,
  }
}

/**
 * Returns the reason of an object's last suspension; undefined if none was given. Users have it as a setting.
 */
export async function lastReason(
  db: Db,
  object: { readonly type: LoggedType; readonly id: number },
): Promise<SuspensionReason | undefined> {
  const { rows } = await sql<{ reason: string | null }>`select data->>'reason' as reason from event_log
    where object_type = ${object.type} and object_id = ${object.id} and event = ${`${object.type}.suspend`}
    order by created_at desc, id desc limit 1`.execute(db)
  const reason = rows[0]?.reason
  if (reason == null) return undefined
  return isSuspensionReason(reason) ? reason : 'other'
}
