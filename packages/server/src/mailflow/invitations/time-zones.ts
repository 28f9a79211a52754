import ICAL from 'ical.js'
import { BoundedIterator, Budget } from './recurrence-budget.ts'

const limits = { zones: 50, observances: 300, dates: 1000, rules: 100, parts: 12 }
/** Zones aren't expanded to the years outside; times there are read as UTC. Outlook's zones start in 1601. */
const [firstYear, lastYear] = [1600, 2199]

/**
 * Refuses time zones whose expansion would take long: their rules are expanded without a limit, so only what zones really
 * have is allowed: yearly rules on a month and a day. Throws an error that says why.
 */
export function checkTimeZones(calendar: ICAL.Component): void {
  const zones = calendar.getAllSubcomponents('vtimezone')
  if (zones.length > limits.zones) throw new Error('too many time zones')
  let [all, rules] = [0, 0]
  for (const zone of zones) {
    const observances = zone.getAllSubcomponents()
    if (typeof zone.getFirstPropertyValue('tzid') !== 'string') throw new Error('time zone without a name')
    all += observances.length
    if (all > limits.observances) throw new Error('too many observances')
    for (const observance of observances) rules += checkObservance(observance)
    if (rules > limits.rules) throw new Error('too many rules')
  }
}

/** Returns the number of its rules. */
function checkObservance(observance: ICAL.Component): number {
  const start = observance.getFirstPropertyValue('dtstart')
  const offsets = ['tzoffsetfrom', 'tzoffsetto'].map((name) => observance.getFirstPropertyValue(name))
  if (!(start instanceof ICAL.Time) || !offsets.every((offset) => offset instanceof ICAL.UtcOffset)) {
    throw new Error('incomplete observance')
  }
  if (start.year < firstYear || start.year > lastYear) throw new Error('year of a time zone')
  if (observance.getAllProperties('rdate').length > limits.dates) throw new Error('too many dates')
  const rules = observance.getAllProperties('rrule')
  if (rules.length > 1) throw new Error('too many rules')
  for (const property of rules) {
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur) || rule.freq !== 'YEARLY') throw new Error('time zone rule')
    const parts = Object.entries(rule.parts)
    const isPlain = parts.every(
      ([name, values]) => ['BYMONTH', 'BYDAY', 'BYMONTHDAY'].includes(name) && values.length <= limits.parts,
    )
    if (!isPlain) throw new Error('time zone rule')
    // days that no month has would be searched for through all years
    new BoundedIterator(rule, start, new Budget(1000)).next()
  }
  return rules.length
}

/** A zone by its IANA name, for texts that name one and don't describe it. */
export class NamedTimeZone extends ICAL.Timezone {
  private readonly format: Intl.DateTimeFormat

  /** Throws a RangeError for unknown names. */
  constructor(name: string) {
    super({ tzid: name })
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
      era: 'short',
    })
  }

  /** Seconds to add to UTC at a local time. Times that a change of clocks skips have the offset before it. */
  override utcOffset(time: ICAL.Time): number {
    const local = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
    if (Number.isNaN(local)) return 0
    const first = this.offsetAt(local)
    const second = this.offsetAt(local - first * 1000)
    return first === second ? first : Math.min(second, this.offsetAt(local - second * 1000))
  }

  private offsetAt(instant: number): number {
    if (Math.abs(instant) > 8.64e15) return 0
    const parts = new Map(this.format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
    const shown = Date.UTC(
      ...([part('year'), part('month') - 1, part('day')] as const),
      ...([part('hour'), part('minute'), part('second')] as const),
    )
    return Math.round((shown - Math.floor(instant / 1000) * 1000) / 1000)
  }
}

const zones = new Map<string, NamedTimeZone>()
const maximumZones = 1000

/** The zone of an IANA name; undefined for other names. */
export function namedTimeZone(name: string): NamedTimeZone | undefined {
  const known = zones.get(name)
  if (known !== undefined) return known
  try {
    const zone = new NamedTimeZone(name)
    // names may be written in many ways
    if (zones.size >= maximumZones) zones.clear()
    zones.set(name, zone)
    return zone
  } catch {
    return undefined
  }
}

/** Reads a date or time of a property, in its zone. Undefined if the property is of another kind. */
export function timeOf(
  property: ICAL.Property | null,
  value = property?.getFirstValue(),
): ICAL.Time | undefined {
  if (property === null || !(value instanceof ICAL.Time)) return undefined
  const time = value.clone()
  if (time.isDate || time.zone !== ICAL.Timezone.localTimezone) return time
  const name = property.getFirstParameter('tzid')
  const zone = name ? namedTimeZone(name) : undefined
  if (zone !== undefined) time.zone = zone
  return time
}

/** Epoch seconds of a time. Dates and times without a zone are those of the given zone. */
export function instantOf(time: ICAL.Time, zone: ICAL.Timezone): number {
  const own = time.isDate || time.zone === ICAL.Timezone.localTimezone ? zone : time.zone
  const isCovered = time.year >= firstYear && time.year <= lastYear
  return withZone(time, isCovered ? own : ICAL.Timezone.utcTimezone).toUnixTime()
}

/** The same figures on the clock of another zone. */
export function withZone(time: ICAL.Time, zone: ICAL.Timezone): ICAL.Time {
  const { year, month, day, hour, minute, second } = time
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, zone)
}

/** What clocks of a zone show at an instant, as a time without a zone. */
export function localTime(instant: number, zone: ICAL.Timezone): ICAL.Time {
  const guess = new ICAL.Time({ isDate: false }, ICAL.Timezone.utcTimezone)
  guess.fromUnixTime(instant)
  if (zone === ICAL.Timezone.utcTimezone || zone === ICAL.Timezone.localTimezone) {
    return withZone(guess, ICAL.Timezone.localTimezone)
  }
  const isCovered = guess.year >= firstYear && guess.year <= lastYear
  const first = isCovered ? zone.utcOffset(guess) : 0
  const local = new ICAL.Time({ isDate: false }, ICAL.Timezone.utcTimezone)
  local.fromUnixTime(instant + first)
  const second = isCovered ? zone.utcOffset(local) : 0
  local.fromUnixTime(instant + second)
  return withZone(local, ICAL.Timezone.localTimezone)
}

/** A zone for dates and times without one: that of the name, else UTC. */
export function zoneFor(name: string | null): ICAL.Timezone {
  return (name === null ? undefined : namedTimeZone(name)) ?? ICAL.Timezone.utcTimezone
}
