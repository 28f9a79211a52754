import { type RawBuilder, sql } from 'kysely'
import type { AuditEntry } from './audit.ts'
import {
  type CountedEvent,
  entryId,
  eventNetwork,
  mostHostileEntries,
  type Occurrences,
  windowStart,
} from './counted-event.ts'
import type { Db } from './db/database.ts'
import { newUuid } from './ids.ts'

export async function insertEvent(db: Db, entry: AuditEntry, now: Date): Promise<void> {
  await db
    .insertInto('eventLog')
    .values({
      id: newUuid(),
      tenantId: entry.tenantId,
      objectType: entry.objectType,
      objectId: entry.objectId,
      event: entry.event,
      actorId: entry.actor.userId ?? null,
      actorEmail: entry.actor.email ?? null,
      ip: entry.actor.ip ?? null,
      comment: entry.comment ?? null,
      data: entry.data === undefined ? null : JSON.stringify(entry.data),
      staffId: entry.actor.staff?.userId ?? null,
      staffEmail: entry.actor.staff?.email ?? null,
      apiKey: entry.actor.apiKey ?? null,
      createdAt: now,
    })
    .execute()
}

/**
 * Returns SQL that inserts an event, or increments the count of its existing entry; usable alone or as part of
 * a larger statement. Writes nothing for a user who doesn't exist.
 */
export function countEvent(counted: CountedEvent, { times, last }: Occurrences): RawBuilder<unknown> {
  const { userId, event, facts, details, staff, ip, isHostile, at } = counted
  const network = isHostile && ip !== undefined ? eventNetwork(ip) : undefined
  const data = { ...facts, ...details, ...(network !== undefined && { network }) }
  const isSelf = counted.actor === 'self'
  const id = entryId(counted, { ...data, ...(network === undefined && ip !== undefined && { ip }) })
  const crowded = entryId(counted, facts)
  const most = isHostile ? mostHostileEntries : null
  const again =
    counted.isOnce === true
      ? sql`do nothing`
      : sql`do update set times = event_log.times + excluded.times,
      last_at = greatest(event_log.last_at, event_log.created_at, excluded.created_at, excluded.last_at),
      ip = case when event_log.ip = excluded.ip then event_log.ip else event_log.data ->> 'network' end`
  return sql`insert into event_log (id, tenant_id, object_type, object_id, event, actor_id, actor_email, ip, data,
      staff_id, staff_email, created_at, times, last_at)
    select case when many.is_full then ${crowded}::uuid else ${id}::uuid end, u.tenant_id, 'user', u.id, ${event}::text,
      case when ${isSelf}::boolean then u.id end, case when ${isSelf}::boolean then u.email end,
      case when not many.is_full then ${ip ?? null}::text end,
      case when many.is_full then ${JSON.stringify(facts)}::jsonb else ${JSON.stringify(data)}::jsonb end,
      ${staff?.userId ?? null}::bigint, ${staff?.email ?? null}::text,
      ${at}::timestamptz, ${times}::integer, ${times > 1 ? last : null}::timestamptz
    from users u, lateral (select ${most}::integer is not null
        and not exists (select from event_log where id = ${id}::uuid)
        and (select count(*) from event_log c where c.object_type = 'user' and c.object_id = u.id
          and c.created_at >= ${windowStart(counted)}::timestamptz and c.event = ${event}::text
        ) >= coalesce(${most}::integer, 0) as is_full) many
    where u.id = ${userId}::bigint
    on conflict (id) ${again}`
}

/** Writes an event without waiting for the disk; returns the network address of its entry. */
export async function writeCountedEvent(
  db: Db,
  event: CountedEvent,
  occurrences: Occurrences,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ ip: string | null }>`with relaxed as (
      select set_config('synchronous_commit', 'off', true)
    ), written as (${countEvent(event, occurrences)} returning ip)
    select ip from relaxed, written`.execute(db)
  return rows[0]?.ip
}
