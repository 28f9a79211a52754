import ICAL from 'ical.js'
import { attendeeOf, copyOf, recurrenceOf } from './components.ts'
import { instantOf, localTime, timeOf } from './time-zones.ts'

const utc = () => ICAL.Timezone.utcTimezone

/** When something takes place, as text: equal texts mean the same times. */
export function timingOf(component: ICAL.Component): string {
  const names = ['dtstart', 'dtend', 'due', 'duration', 'rrule', 'rdate']
  return names
    .flatMap((name) => component.getAllProperties(name).map((property) => property.toICALString()))
    .sort()
    .join('\n')
}

/** The zone of a series' start; times without a zone are read as UTC. */
function zoneOfStart(start: ICAL.Time): ICAL.Timezone {
  return start.isDate || start.zone === ICAL.Timezone.localTimezone ? utc() : start.zone
}

/** Excludes an occurrence, in the value type and zone of the start. Returns whether it wasn't excluded before. */
export function exclude(series: ICAL.Component, instant: number): boolean {
  return excludeAll(series, [instant]) > 0
}

/** Excludes occurrences. Returns how many weren't excluded before. */
export function excludeAll(series: ICAL.Component, instants: readonly number[]): number {
  const excluded = new Set(excludedOf(series))
  let added = 0
  for (const instant of instants) {
    const property = excluded.has(instant) ? undefined : occurrenceProperty(series, 'exdate', instant)
    if (property === undefined) continue
    series.addProperty(property)
    excluded.add(instant)
    added++
  }
  return added
}

/** A property that names an occurrence, in the value type and zone of the start; undefined without a start. */
export function occurrenceProperty(
  series: ICAL.Component,
  name: string,
  instant: number,
): ICAL.Property | undefined {
  const original = series.getFirstProperty('dtstart')
  const start = timeOf(original)
  if (original === null || start === undefined) return undefined
  const zone = zoneOfStart(start)
  const time = localTime(instant, zone)
  const { year, month, day } = time
  const property = new ICAL.Property(name)
  if (start.isDate)
    property.setValue(new ICAL.Time({ year, month, day, isDate: true }, ICAL.Timezone.localTimezone))
  else {
    if (start.zone === utc()) time.zone = utc()
    property.setValue(time)
    const zoneName = original.getFirstParameter('tzid')
    if (zoneName) property.setParameter('tzid', zoneName)
  }
  return property
}

/** Includes an occurrence again. */
export function include(series: ICAL.Component, instant: number): void {
  for (const property of series.getAllProperties('exdate')) {
    const values: unknown[] = property.getValues()
    const kept = values.filter((value) => {
      const time = value instanceof ICAL.Time ? timeOf(property, value) : undefined
      return time === undefined || instantOf(time, utc()) !== instant
    })
    if (kept.length === values.length) continue
    if (kept.length === 0) series.removeProperty(property)
    else property.setValues(kept)
  }
}

/** Epoch seconds of the occurrences that a series excludes. */
export function excludedOf(series: ICAL.Component): number[] {
  return series.getAllProperties('exdate').flatMap((property) => {
    const values: unknown[] = property.getValues()
    return values.flatMap((value) => {
      const time = value instanceof ICAL.Time ? timeOf(property, value) : undefined
      return time === undefined ? [] : [instantOf(time, utc())]
    })
  })
}

/** Ends a series before an occurrence. Returns false if nothing of it is left then. */
export function endBefore(series: ICAL.Component, instant: number): boolean {
  const start = timeOf(series.getFirstProperty('dtstart'))
  if (start === undefined || instantOf(start, utc()) >= instant) return false
  for (const property of series.getAllProperties('rrule')) {
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur)) continue
    const ended = rule.clone()
    ended.count = null
    ended.until = lastTimeBefore(start, instant)
    const isEarlier = rule.until !== null && instantOf(rule.until, zoneOfStart(start)) < instant
    if (!isEarlier) property.setValue(ended)
  }
  for (const property of series.getAllProperties('rdate')) {
    const values: unknown[] = property.getValues()
    const kept = values.filter((value) => {
      const time = value instanceof ICAL.Period ? value.start : value
      const own = time instanceof ICAL.Time ? timeOf(property, time) : undefined
      return own !== undefined && instantOf(own, utc()) < instant
    })
    if (kept.length === 0) series.removeProperty(property)
    else if (kept.length < values.length) property.setValues(kept)
  }
  return true
}

/** UNTIL has the value type of the start, and is UTC if that has a zone (RFC 5545 §3.3.10). */
function lastTimeBefore(start: ICAL.Time, instant: number): ICAL.Time {
  const isFloating = start.zone === ICAL.Timezone.localTimezone
  const time = localTime(instant - 1, utc())
  if (!start.isDate) {
    if (!isFloating) time.zone = utc()
    return time
  }
  const { year, month, day } = time
  return new ICAL.Time({ year, month, day, isDate: true }, ICAL.Timezone.localTimezone)
}

/** What belongs to the user and not to the organiser: kept when a newer revision replaces a component. */
const personal = ['transp', 'categories', 'x-moz-lastack', 'x-moz-snooze-time']

/**
 * A component of a request as it's saved: with what the user has set, and without alarms of the organiser. The user's
 * answer is kept as long as it's about the same time.
 */
export function adopt(
  incoming: ICAL.Component,
  stored: ICAL.Component | undefined,
  addresses: readonly string[],
  keepsAnswer: boolean,
): ICAL.Component {
  const component = copyOf(incoming)
  component.removeAllSubcomponents('valarm')
  if (stored === undefined) return component
  for (const alarm of stored.getAllSubcomponents('valarm')) component.addSubcomponent(copyOf(alarm))
  for (const name of personal) {
    const own = stored.getAllProperties(name)
    if (own.length === 0) continue
    component.removeAllProperties(name)
    for (const property of own) component.addProperty(ICAL.Property.fromString(property.toICALString()))
  }
  const answer = attendeeOf(stored, addresses)?.getFirstParameter('partstat')
  if (keepsAnswer && answer) attendeeOf(component, addresses)?.setParameter('partstat', answer)
  return component
}

/** Adds the time zones of one calendar to another one; those of the same name are replaced. */
export function mergeZones(target: ICAL.Component, source: ICAL.Component): void {
  const zones = source.getAllSubcomponents('vtimezone')
  const names = zones.map((zone) => zone.getFirstPropertyValue('tzid'))
  for (const zone of target.getAllSubcomponents('vtimezone')) {
    if (names.includes(zone.getFirstPropertyValue('tzid'))) target.removeSubcomponent(zone)
  }
  for (const zone of zones) target.addSubcomponent(copyOf(zone))
}

/** The exception for an occurrence. */
export function exceptionFor(
  exceptions: readonly ICAL.Component[],
  instant: number,
  series: ICAL.Component | undefined,
): ICAL.Component | undefined {
  return exceptions.find((exception) => recurrenceOf(exception, series) === instant)
}
