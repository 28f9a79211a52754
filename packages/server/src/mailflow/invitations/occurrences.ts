import ICAL from 'ical.js'
import { type CalendarKind, exceptionsOf, isFollowing, masterOf } from './components.ts'
import { BoundedIterator, Budget, UnusableRuleError } from './recurrence-budget.ts'
import { instantOf, localTime, timeOf, withZone } from './time-zones.ts'

/** One time at which something takes place; epoch seconds. `end` is exclusive. */
export interface Occurrence {
  readonly start: number
  readonly end: number
  /** When it takes place by the series; names the occurrence. */
  readonly recurrence: number
  /** The component that describes it. */
  readonly component: ICAL.Component
}

export interface Window {
  /** Epoch seconds: occurrences that end by then are left out. */
  readonly from: number
  /** Epoch seconds: occurrences that start then or later are left out. */
  readonly until: number
  /** Zone of dates and of times without one. */
  readonly zone: ICAL.Timezone
  readonly maximum: number
}

export interface Occurrences {
  readonly list: readonly Occurrence[]
  /** False when there are more than the maximum, or when a rule is illegal or takes too long. */
  readonly isComplete: boolean
}

const steps = 50_000
const maximumRules = 4

/** Occurrences within a window, sorted by their start. The work is limited, whatever the rules are. */
export function occurrencesOf(calendar: ICAL.Component, kind: CalendarKind, window: Window): Occurrences {
  const list: Occurrence[] = []
  const isInside = ({ start, end }: Occurrence) =>
    start < window.until && (end > window.from || (end === start && start >= window.from))
  const exceptions = exceptionsOf(calendar, kind).map((component) => exceptionOf(component, window.zone))
  const replaced = new Set(exceptions.map(({ recurrence }) => recurrence))
  const following = exceptions.filter(({ component }) => isFollowing(component))
  following.sort((first, second) => second.recurrence - first.recurrence)
  for (const exception of exceptions) {
    const isCancelled = exception.component.getFirstPropertyValue('status') === 'CANCELLED'
    if (!isCancelled && isInside(exception)) list.push(exception)
  }
  const master = masterOf(calendar, kind)
  let isComplete = true
  try {
    for (const occurrence of master === undefined ? [] : seriesOf(master, window, newBudget())) {
      if (replaced.has(occurrence.recurrence)) continue
      const change = following.find(({ recurrence }) => recurrence < occurrence.recurrence)
      const found = change === undefined ? occurrence : shifted(occurrence, change)
      if (isInside(found)) list.push(found)
      if (list.length > window.maximum) break
    }
  } catch (error) {
    if (!(error instanceof UnusableRuleError)) throw error
    isComplete = false
  }
  list.sort((first, second) => first.start - second.start)
  if (list.length > window.maximum) isComplete = false
  return { list: list.slice(0, window.maximum), isComplete }
}

/** Work for one message. */
export function newBudget(): Budget {
  return new Budget(steps)
}

/** Whether a series has an occurrence at an instant; undefined if that can't be found out within the budget. */
export function hasOccurrence(master: ICAL.Component, instant: number, budget: Budget): boolean | undefined {
  const zone = ICAL.Timezone.utcTimezone
  try {
    for (const { recurrence } of seriesOf(master, { until: instant + 1, zone }, budget)) {
      if (recurrence === instant) return true
    }
    return false
  } catch (error) {
    if (error instanceof UnusableRuleError) return undefined
    throw error
  }
}

function exceptionOf(component: ICAL.Component, zone: ICAL.Timezone): Occurrence {
  const id = timeOf(component.getFirstProperty('recurrence-id'))
  if (id === undefined) throw new Error('RECURRENCE-ID is not a time')
  const recurrence = instantOf(id, zone)
  const start = timeOf(component.getFirstProperty('dtstart')) ?? id
  const instant = instantOf(start, zone)
  return { start: instant, end: instant + durationOf(component, start, zone), recurrence, component }
}

/** An occurrence as an exception for it and all that follow has it. */
function shifted({ recurrence }: Occurrence, change: Occurrence): Occurrence {
  const start = recurrence + (change.start - change.recurrence)
  return { start, end: start + (change.end - change.start), recurrence, component: change.component }
}

/** Occurrences of a series in no particular order, without exceptions. Throws UnusableRuleError. */
function* seriesOf(
  component: ICAL.Component,
  { until, zone }: Pick<Window, 'until' | 'zone'>,
  budget: Budget,
): Generator<Occurrence> {
  const start = timeOf(component.getFirstProperty('dtstart'))
  if (start === undefined || component.getFirstPropertyValue('status') === 'CANCELLED') return
  const duration = durationOf(component, start, zone)
  const excluded = new Set<number>()
  for (const property of component.getAllProperties('exdate')) {
    for (const time of timesOf(property)) excluded.add(instantOf(time, zone))
  }
  const seen = new Set<number>()
  for (const instant of instantsOf(component, start, until, zone, budget)) {
    if (instant >= until || excluded.has(instant) || seen.has(instant)) continue
    seen.add(instant)
    yield { start: instant, end: instant + duration, recurrence: instant, component }
  }
}

function* instantsOf(
  component: ICAL.Component,
  start: ICAL.Time,
  until: number,
  zone: ICAL.Timezone,
  budget: Budget,
): Generator<number> {
  // the start is an occurrence even if no rule gives it (RFC 5545 §3.8.5.3)
  yield instantOf(start, zone)
  for (const property of component.getAllProperties('rdate')) {
    for (const time of timesOf(property)) {
      budget.spend(1)
      yield instantOf(time, zone)
    }
  }
  for (const property of component.getAllProperties('rrule').slice(0, maximumRules)) {
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur)) throw new Error('RRULE is not a rule')
    const own = start.isDate || start.zone === ICAL.Timezone.localTimezone ? zone : start.zone
    const iterator = iteratorOf(inLocalTime(rule, start, own), localStart(start), budget)
    for (let time = nextOf(iterator); time !== null; time = nextOf(iterator)) {
      budget.spend(2)
      const instant = instantOf(start.isDate ? time : withZone(time, own), zone)
      if (instant >= until) break
      yield instant
    }
  }
}

/** The library throws plain errors for combinations that RFC 5545 forbids. */
function iteratorOf(rule: ICAL.Recur, start: ICAL.Time, budget: Budget): BoundedIterator {
  return usable(() => new BoundedIterator(rule, start, budget))
}

function nextOf(iterator: BoundedIterator): ICAL.Time | null {
  return usable(() => iterator.next())
}

function usable<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof UnusableRuleError ? error : new UnusableRuleError(String(error))
  }
}

/** Rules run on the clock of the place, in which comparing is cheap. */
function localStart(start: ICAL.Time): ICAL.Time {
  return start.isDate ? start.clone() : withZone(start, ICAL.Timezone.localTimezone)
}

function inLocalTime(rule: ICAL.Recur, start: ICAL.Time, zone: ICAL.Timezone): ICAL.Recur {
  const local = rule.clone()
  if (rule.until === null || rule.until.isDate || rule.until.zone === ICAL.Timezone.localTimezone)
    return local
  const until = localTime(rule.until.toUnixTime(), zone)
  local.until = start.isDate ? dateOf(until) : until
  return local
}

function dateOf({ year, month, day }: ICAL.Time): ICAL.Time {
  return new ICAL.Time({ year, month, day, isDate: true }, ICAL.Timezone.localTimezone)
}

/** Times of EXDATE or RDATE; of periods their start. */
function timesOf(property: ICAL.Property): ICAL.Time[] {
  const times: ICAL.Time[] = []
  // the library doesn't say what values are
  for (const value of property.getValues() as unknown[]) {
    const time = timeOf(property, value instanceof ICAL.Period ? value.start : (value as ICAL.Time))
    if (time !== undefined) times.push(time)
  }
  return times
}

/** Seconds from the start to the end (RFC 5545 §3.6.1); never negative. */
function durationOf(component: ICAL.Component, start: ICAL.Time, zone: ICAL.Timezone): number {
  const end = timeOf(component.getFirstProperty('dtend') ?? component.getFirstProperty('due'))
  if (end !== undefined) return Math.max(0, instantOf(end, zone) - instantOf(start, zone))
  const duration = component.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration) return Math.max(0, duration.toSeconds())
  return start.isDate ? 86_400 : 0
}
