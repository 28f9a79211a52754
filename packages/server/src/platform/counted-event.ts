import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { Actor } from './audit.ts'
import { networkOf, plainAddress } from './http/callers/network-list.ts'

/** A potentially frequent event of a user: equal events within a time window share one entry. */
export interface CountedEvent {
  readonly userId: number
  readonly event: string
  /** `self`: the user. `unknown`: someone who has not authenticated as the user. */
  readonly actor: 'self' | 'unknown'
  readonly staff?: Actor['staff'] | undefined
  readonly ip?: string | undefined
  /** Further properties by which events are grouped; never a secret or user input. */
  readonly facts: Readonly<Record<string, string>>
  /** Like `facts`, but dropped along with the network if hostile events have opened too many entries. */
  readonly details: Readonly<Record<string, string>>
  /** Seconds. */
  readonly window: number
  /**
   * True: events are grouped by network (`eventNetwork`), and beyond a limit of networks share one entry. False:
   * they are grouped by address.
   */
  readonly isHostile: boolean
  /** True: only the first event of a window is written, without a count. */
  readonly isOnce?: boolean
  readonly at: Date
}

/** Number of occurrences, and the date of the last one. */
export interface Occurrences {
  readonly times: number
  readonly last: Date
}

/**
 * Maximum number of entries per kind that hostile events open for a user in a window; further events share the
 * last one.
 */
export const mostHostileEntries = 20

/** Returns the network by which hostile events are grouped: IPv4 /24, IPv6 /64. */
export function eventNetwork(ip: string): string {
  const address = plainAddress(ip)
  return isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : networkOf(address)
}

/** Returns the start of an event's window. */
export function windowStart({ at, window }: CountedEvent): Date {
  const length = window * 1000
  return new Date(Math.floor(at.getTime() / length) * length)
}

/**
 * Returns the id of the entry shared by equal events: a UUID of version 8 (RFC 9562) that begins with the
 * window's start, like version 7 with its timestamp. It is found by the primary key without another index.
 */
export function entryId(counted: CountedEvent, facts: Readonly<Record<string, string>>): string {
  const { userId, event, staff } = counted
  const sorted = Object.entries(facts).sort(([left], [right]) => (left < right ? -1 : 1))
  const name = JSON.stringify([userId, event, staff?.userId ?? null, sorted])
  const time = windowStart(counted).getTime().toString(16).padStart(12, '0').slice(-12)
  const hash = createHash('sha256').update(name).digest('hex')
  const text = `${time}8${hash.slice(0, 3)}8${hash.slice(3, 18)}`
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
