import type ICAL from 'ical.js'
import { parseCalendar } from './calendar-text.ts'
import { type Cancellation, isCancelled } from './cancellations.ts'
import { copyOf, exceptionsOf, isFollowing, masterOf, recurrenceOf } from './components.ts'
import type { InvitationMessage } from './invitation-message.ts'
import { adopt, exceptionFor, excludeAll, excludedOf, include, mergeZones, timingOf } from './series.ts'
import { instantOf, timeOf, zoneFor } from './time-zones.ts'
import { compareVersions, versionOf } from './version.ts'

export interface RequestContext {
  /** Canonical addresses of the recipient. */
  readonly addresses: readonly string[]
  readonly cancellations: readonly Cancellation[]
  /** Exceptions are stored even if the series is unknown. */
  readonly storesExceptions: boolean
}

/** What a request makes of a calendar object. */
export type RequestChange =
  | {
      readonly kind: 'changed'
      readonly calendar: ICAL.Component
      readonly changed: readonly ChangedComponent[]
    }
  /** The calendar has this revision, or a newer one. */
  | { readonly kind: 'same' | 'older' }
  /** An occurrence of a series that isn't in the calendar. */
  | { readonly kind: 'unknown-series' }

export interface ChangedComponent {
  /** As it is in the changed calendar. */
  readonly component: ICAL.Component
  /** It takes place at another time than before, or is new. */
  readonly isMoved: boolean
}

/** Applies a REQUEST (RFC 5546 §3.2.2) to the stored object, which is undefined if there is none. */
export function applyRequest(
  invitation: InvitationMessage,
  stored: ICAL.Component | undefined,
  context: RequestContext,
): RequestChange {
  const components = invitation.components.filter(
    (component) => !isCancelled(component, context.cancellations),
  )
  if (components.length === 0) return { kind: 'older' }
  if (stored === undefined) return newObject(invitation, components, context)
  const calendar = parseCalendar(stored.toString())
  const changed: ChangedComponent[] = []
  let isOlder = false
  for (const component of components) {
    const change = component.hasProperty('recurrence-id')
      ? changeException(calendar, component, invitation, context)
      : changeSeries(calendar, component, invitation, context)
    if (change === 'older') isOlder = true
    else if (change !== 'same') changed.push(change)
  }
  if (changed.length === 0) return { kind: isOlder ? 'older' : 'same' }
  mergeZones(calendar, invitation.calendar)
  return { kind: 'changed', calendar, changed }
}

function newObject(
  invitation: InvitationMessage,
  components: readonly ICAL.Component[],
  { addresses, storesExceptions }: RequestContext,
): RequestChange {
  const hasSeries = components.some((component) => !component.hasProperty('recurrence-id'))
  if (!hasSeries && !storesExceptions) return { kind: 'unknown-series' }
  const calendar = copyOf(invitation.calendar)
  calendar.removeAllProperties('method')
  calendar.removeAllSubcomponents(invitation.kind)
  const changed = components.map((component) => ({
    component: calendar.addSubcomponent(adopt(component, undefined, addresses, false)),
    isMoved: true,
  }))
  return { kind: 'changed', calendar, changed }
}

type ComponentChange = ChangedComponent | 'same' | 'older'

function changeSeries(
  calendar: ICAL.Component,
  incoming: ICAL.Component,
  { kind }: InvitationMessage,
  { addresses }: RequestContext,
): ComponentChange {
  const series = masterOf(calendar, kind)
  const order = series === undefined ? 1 : compareVersions(versionOf(incoming), versionOf(series))
  if (order <= 0) return order === 0 ? 'same' : 'older'
  const isMoved = series === undefined || timingOf(series) !== timingOf(incoming)
  const component = adopt(incoming, series, addresses, !isMoved)
  if (series !== undefined) {
    // organisers don't repeat what they cancelled one by one
    if (!isMoved) excludeAll(component, excludedOf(series))
    calendar.removeSubcomponent(series)
  }
  dropOutdated(calendar, kind, component, isMoved)
  calendar.addSubcomponent(component)
  return { component, isMoved }
}

/** Removes exceptions that a newer revision of the series has overtaken. */
function dropOutdated(
  calendar: ICAL.Component,
  kind: InvitationMessage['kind'],
  series: ICAL.Component,
  isMoved: boolean,
): void {
  const excluded = excludedOf(series)
  const { sequence } = versionOf(series)
  for (const exception of exceptionsOf(calendar, kind)) {
    const instant = recurrenceOf(exception, series)
    const isExcluded = instant !== undefined && excluded.includes(instant)
    const isOvertaken = isMoved && versionOf(exception).sequence < sequence
    if (isExcluded || isOvertaken) calendar.removeSubcomponent(exception)
  }
}

function changeException(
  calendar: ICAL.Component,
  incoming: ICAL.Component,
  { kind }: InvitationMessage,
  { addresses }: RequestContext,
): ComponentChange {
  const series = masterOf(calendar, kind)
  const instant = recurrenceOf(incoming, series)
  if (instant === undefined) return 'same'
  const version = versionOf(incoming)
  const exceptions = exceptionsOf(calendar, kind)
  const stored = exceptionFor(exceptions, instant, series)
  if (stored !== undefined) {
    const order = compareVersions(version, versionOf(stored))
    if (order <= 0) return order === 0 ? 'same' : 'older'
  } else if (series !== undefined && version.sequence < versionOf(series).sequence) return 'older'
  const isMoved =
    stored === undefined ? isElsewhere(incoming, instant, series) : timingOf(stored) !== timingOf(incoming)
  const component = adopt(incoming, stored ?? series, addresses, !isMoved)
  if (stored !== undefined) calendar.removeSubcomponent(stored)
  if (isFollowing(incoming)) {
    for (const later of exceptions) {
      const isLater = (recurrenceOf(later, series) ?? instant) > instant
      if (isLater && versionOf(later).sequence < version.sequence) calendar.removeSubcomponent(later)
    }
  }
  if (series !== undefined) include(series, instant)
  calendar.addSubcomponent(component)
  return { component, isMoved }
}

/** Whether an occurrence takes place at another time, or for longer or shorter, than its series says. */
function isElsewhere(incoming: ICAL.Component, instant: number, series: ICAL.Component | undefined): boolean {
  const start = timeOf(incoming.getFirstProperty('dtstart'))
  if (series === undefined || start === undefined) return true
  const zone = zoneFor(null)
  const length = (component: ICAL.Component) => {
    const from = timeOf(component.getFirstProperty('dtstart'))
    const to = timeOf(component.getFirstProperty('dtend') ?? component.getFirstProperty('due'))
    if (from !== undefined && to !== undefined) return instantOf(to, zone) - instantOf(from, zone)
    return component.getFirstProperty('duration')?.toICALString()
  }
  return instantOf(start, zone) !== instant || length(incoming) !== length(series)
}
