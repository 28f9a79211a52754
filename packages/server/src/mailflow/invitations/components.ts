import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import ICAL from 'ical.js'
import { instantOf, timeOf } from './time-zones.ts'

/** Kinds of components that invitations are about. */
export type CalendarKind = 'vevent' | 'vtodo'

/** The kind of a calendar's components; undefined if it has none of these kinds, or both. */
export function kindOf(calendar: ICAL.Component): CalendarKind | undefined {
  const kinds = (['vevent', 'vtodo'] as const).filter((kind) => calendar.getFirstSubcomponent(kind) !== null)
  return kinds.length === 1 ? kinds[0] : undefined
}

/** The component that isn't about one occurrence: a single event, or the series. */
export function masterOf(calendar: ICAL.Component, kind: CalendarKind): ICAL.Component | undefined {
  return calendar.getAllSubcomponents(kind).find((component) => !component.hasProperty('recurrence-id'))
}

/** Components about one occurrence, or one and all that follow. */
export function exceptionsOf(calendar: ICAL.Component, kind: CalendarKind): ICAL.Component[] {
  return calendar.getAllSubcomponents(kind).filter((component) => component.hasProperty('recurrence-id'))
}

/** Text of a property; empty if there is none. */
export function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name)
  return typeof value === 'string' ? value : ''
}

/**
 * Epoch seconds of the occurrence that a component is about; undefined for series. Floating times and dates are read as
 * UTC. Some programs name the day where the series has a time, or the reverse: what counts is the kind of the series.
 */
export function recurrenceOf(component: ICAL.Component, series?: ICAL.Component): number | undefined {
  const known = recurrences.get(component)
  if (known !== undefined && known.series === series) return known.instant
  const instant = readRecurrence(component, series)
  recurrences.set(component, { series, instant })
  return instant
}

/** Exceptions are compared with each other, and reading a time in a zone is slow. The property never changes. */
const recurrences = new WeakMap<
  ICAL.Component,
  { readonly series: ICAL.Component | undefined; readonly instant: number | undefined }
>()

function readRecurrence(component: ICAL.Component, series?: ICAL.Component): number | undefined {
  const property = component.getFirstProperty('recurrence-id')
  if (property === null) return undefined
  const id = timeOf(property)
  if (id === undefined) throw new Error('RECURRENCE-ID is not a time')
  const start = timeOf(series?.getFirstProperty('dtstart') ?? null)
  if (start === undefined || start.isDate === id.isDate) return instantOf(id, ICAL.Timezone.utcTimezone)
  const { year, month, day } = id
  const { hour, minute, second } = start.isDate ? { hour: 0, minute: 0, second: 0 } : start
  const time = new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, start.zone)
  return instantOf(time, ICAL.Timezone.utcTimezone)
}

/** Whether a component is about an occurrence and all that follow (RFC 5545 §3.2.13). */
export function isFollowing(component: ICAL.Component): boolean {
  const range = component.getFirstProperty('recurrence-id')?.getFirstParameter('range')
  return range?.toUpperCase() === 'THISANDFUTURE'
}

/** Canonical address of ORGANIZER or ATTENDEE; undefined if the value isn't a mail address. */
export function addressOf(property: ICAL.Property | null): string | undefined {
  return mailAddress(property?.getFirstValue())
}

/** Canonical address of who acts for that person; undefined if nobody. */
export function sentByOf(property: ICAL.Property | null): string | undefined {
  return mailAddress(property?.getFirstParameter('sent-by'))
}

/** The attendee with one of the addresses. */
export function attendeeOf(
  component: ICAL.Component,
  addresses: readonly string[],
): ICAL.Property | undefined {
  return component.getAllProperties('attendee').find((attendee) => {
    const address = addressOf(attendee)
    return address !== undefined && addresses.includes(address)
  })
}

/** The answer of an attendee, in upper case (RFC 5545 §3.2.12). */
export function answerOf(attendee: ICAL.Property | undefined): string {
  return attendee?.getFirstParameter('partstat')?.toUpperCase() || 'NEEDS-ACTION'
}

/** A copy that belongs to no calendar. */
export function copyOf(component: ICAL.Component): ICAL.Component {
  return ICAL.Component.fromString(component.toString())
}

function mailAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^mailto:/i.test(value)) return undefined
  const text = value.slice('mailto:'.length).replace(/\?.*$/s, '')
  let address = text
  try {
    address = decodeURIComponent(text)
  } catch {
    // a percent sign that isn't an escape
  }
  const canonical = canonicalAddress(address)
  return /^[^\s@]+@[^\s@]+$/.test(canonical) ? canonical : undefined
}
