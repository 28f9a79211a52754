import type ICAL from 'ical.js'
import { MalformedCalendarError, parseCalendar, whileReading } from '../invitations/calendar-text.ts'
import { answerOf, attendeeOf } from '../invitations/components.ts'
import { type Occurrence, occurrencesOf } from '../invitations/occurrences.ts'
import { instantOf, timeOf, zoneFor } from '../invitations/time-zones.ts'

/** Recurring bookings are checked for a year from now, or from their start, and for so many occurrences. */
const horizon = 366 * 86_400
const maximumWanted = 400
const maximumBusy = 5000

/** Times at which a resource is wanted; ISO 8601 in UTC. */
export interface Conflict {
  readonly start: string
  readonly end: string
}

export type Check =
  | { readonly kind: 'free' }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly Conflict[] }
  /** Everything is over. */
  | { readonly kind: 'past' }
  /** More occurrences than can be checked, or a rule that can't be read. */
  | { readonly kind: 'too-many' }

export interface BusyFacts {
  /** Canonical address of the resource. */
  readonly resource: string
  /** The iCalendar texts of its other bookings, at least those that take place within the next two years. */
  readonly others: readonly string[]
  /** Epoch seconds. */
  readonly now: number
  /** IANA name of the zone for days and floating times; null: UTC. */
  readonly timeZone: string | null
}

/** Checks the occurrences of some components of a booking against the other bookings. */
export function checkBooking(
  calendar: ICAL.Component,
  components: readonly ICAL.Component[],
  { resource, others, now, timeZone }: BusyFacts,
): Check {
  const zone = zoneFor(timeZone)
  const starts = components.map((component) => timeOf(component.getFirstProperty('dtstart')))
  const first = Math.min(...starts.map((start) => (start === undefined ? now : instantOf(start, zone))))
  const window = { from: now, until: Math.max(now, first) + horizon, zone }
  const { list, isComplete } = occurrencesOf(calendar, 'vevent', { ...window, maximum: maximumWanted })
  if (!isComplete) return { kind: 'too-many' }
  const wanted = list.filter(({ component }) => components.includes(component))
  if (wanted.length === 0) return { kind: 'past' }
  const busy: Occurrence[] = []
  for (const text of others) {
    busy.push(...busyTimes(text, resource, { ...window, maximum: maximumBusy }))
  }
  const conflicts = overlapping(wanted, merged(busy)).map(({ start, end }) => ({
    start: isoTime(start),
    end: isoTime(end),
  }))
  return conflicts.length === 0 ? { kind: 'free' } : { kind: 'conflicts', conflicts }
}

/** Bookings that wait for the manager don't count: the manager decides between them. */
function busyTimes(
  text: string,
  resource: string,
  window: Parameters<typeof occurrencesOf>[2],
): Occurrence[] {
  try {
    const calendar = parseCalendar(text)
    return whileReading(() => {
      const { list } = occurrencesOf(calendar, 'vevent', window)
      return list.filter(({ component }) => isBusy(component, resource))
    })
  } catch (error) {
    // what can't be read books nothing
    if (error instanceof MalformedCalendarError) return []
    throw error
  }
}

function isBusy(component: ICAL.Component, resource: string): boolean {
  if (component.getFirstPropertyValue('transp') === 'TRANSPARENT') return false
  const attendee = attendeeOf(component, [resource])
  // people may block a resource by hand
  return attendee === undefined || answerOf(attendee) === 'ACCEPTED'
}

interface Span {
  readonly start: number
  end: number
}

/** Spans that don't overlap, sorted. */
function merged(occurrences: Occurrence[]): Span[] {
  const spans: Span[] = []
  occurrences.sort((first, second) => first.start - second.start)
  for (const { start, end } of occurrences) {
    const last = spans.at(-1)
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
    else if (end > start) spans.push({ start, end })
  }
  return spans
}

function overlapping(wanted: readonly Occurrence[], spans: readonly Span[]): Occurrence[] {
  let at = 0
  return wanted.filter(({ start, end }) => {
    // both are sorted by their start
    for (let span = spans[at]; span !== undefined && span.end <= start; span = spans[at]) at++
    const next = spans[at]
    return next !== undefined && next.start < Math.max(end, start + 1)
  })
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
