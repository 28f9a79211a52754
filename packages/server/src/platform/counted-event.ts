import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
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

/** When the window of an event began. */
export function windowStart({ at, window }: CountedEvent): Date {
  const length = window * 1000
  return new Date(Math.floor(at.getTime() / length) * length)
}

/**
 * The id of the entry of all events that are alike: a UUID of version 8 (RFC 9562) that begins with the window's start,
 * as those of version 7 do with their moment. No index beside the primary key is needed to find it again.
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
