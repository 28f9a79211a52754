import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from './audit.ts'
import { networkOf, plainAddress } from './http/callers/network-list.ts'

/** An event of a user that may happen often: all that are alike within a window of time share one entry. */
export interface CountedEvent {
  readonly userId: number
  readonly event: string
  /** `self`: the user. `unknown`: somebody who has not proved to be the user. */
  readonly actor: 'self' | 'unknown'
  readonly staff?: Actor['staff'] | undefined
  readonly ip?: string | undefined
  /** What makes events alike, beside all above; never a secret, nor anything that was typed. */
  readonly facts: Readonly<Record<string, string>>
  /** The same; left out with the network where hostile events have opened too many entries. */
  readonly details: Readonly<Record<string, string>>
  /** Seconds. */
  readonly window: number
  /**
   * True: events from one network (`eventNetwork`) are alike, and those from ever more networks share one entry. False:
   * those from one address are.
   */
  readonly isHostile: boolean
  /** True: the first of a window is written down and the others are not counted. */
  readonly isOnce?: boolean
  readonly at: Date
}

/** How often it happened, up to when. */
export interface Occurrences {
  readonly times: number
  readonly last: Date
}

/** Entries of one kind that hostile events open for a user in one window; further ones share the last. */
export const mostHostileEntries = 20

/** The part of the net that hostile events are counted for: IPv4 /24, IPv6 /64. */
export function eventNetwork(ip: string): string {
  const address = plainAddress(ip)
  return isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : networkOf(address)
}

/**
 * The statement that writes an event down, or counts it where its entry exists; a part of a larger statement, or one of
 * its own. It writes nothing for a user that is not there.
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

function windowStart({ at, window }: CountedEvent): Date {
  const length = window * 1000
  return new Date(Math.floor(at.getTime() / length) * length)
}

/**
 * The id of the entry of all events that are alike: a UUID of version 8 (RFC 9562) that begins with the window's start,
 * as those of version 7 do with their moment. No index beside the primary key is needed to find it again.
 */
function entryId(counted: CountedEvent, facts: Readonly<Record<string, string>>): string {
  const { userId, event, staff } = counted
  const sorted = Object.entries(facts).sort(([left], [right]) => (left < right ? -1 : 1))
  const name = JSON.stringify([userId, event, staff?.userId ?? null, sorted])
  const time = windowStart(counted).getTime().toString(16).padStart(12, '0').slice(-12)
  const hash = createHash('sha256').update(name).digest('hex')
  const text = `${time}8${hash.slice(0, 3)}8${hash.slice(3, 18)}`
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
