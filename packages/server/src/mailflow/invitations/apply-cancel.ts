import type ICAL from 'ical.js'
import { parseCalendar } from './calendar-text.ts'
import { attendeeOf, exceptionsOf, isFollowing, masterOf, recurrenceOf } from './components.ts'
import type { InvitationMessage } from './invitation-message.ts'
import { endBefore, exceptionFor, exclude } from './series.ts'
import { compareVersions, versionOf } from './version.ts'

/** What a cancellation makes of a calendar object. */
export type CancelChange =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'changed'; readonly calendar: ICAL.Component }
  /** It was cancelled before, or the calendar has a newer revision. */
  | { readonly kind: 'same' }
  | { readonly kind: 'older' }

/** Whether a CANCEL is for somebody: one that names others only takes those off the list (RFC 5546 §3.2.5). */
export function cancelsFor({ components }: InvitationMessage, addresses: readonly string[]): boolean {
  return components.some(
    (component) =>
      !component.hasProperty('attendee') ||
      component.getFirstPropertyValue('status') === 'CANCELLED' ||
      attendeeOf(component, addresses) !== undefined,
  )
}

/** Applies a CANCEL (RFC 5546 §3.2.5) to the stored object. */
export function applyCancel(invitation: InvitationMessage, stored: ICAL.Component): CancelChange {
  const calendar = parseCalendar(stored.toString())
  let [isChanged, isOlder] = [false, false]
  for (const component of invitation.components) {
    const result = cancelOne(calendar, component, invitation.kind)
    if (result === 'deleted') return { kind: 'deleted' }
    if (result === 'changed') isChanged = true
    if (result === 'older') isOlder = true
  }
  if (!isChanged) return { kind: isOlder ? 'older' : 'same' }
  // without a series, the last exception may have gone
  if (calendar.getFirstSubcomponent(invitation.kind) === null) return { kind: 'deleted' }
  return { kind: 'changed', calendar }
}

function cancelOne(
  calendar: ICAL.Component,
  incoming: ICAL.Component,
  kind: InvitationMessage['kind'],
): CancelChange['kind'] {
  const series = masterOf(calendar, kind)
  const exceptions = exceptionsOf(calendar, kind)
  const version = versionOf(incoming)
  const instant = recurrenceOf(incoming, series)
  if (instant === undefined) {
    const stored = series === undefined ? exceptions : [series]
    return stored.some((component) => compareVersions(version, versionOf(component)) < 0)
      ? 'older'
      : 'deleted'
  }
  const exception = exceptionFor(exceptions, instant, series)
  if (exception !== undefined && compareVersions(version, versionOf(exception)) < 0) return 'older'
  if (series !== undefined && version.sequence < versionOf(series).sequence) return 'older'
  if (isFollowing(incoming)) return cancelFollowing(calendar, series, exceptions, instant)
  if (exception !== undefined) calendar.removeSubcomponent(exception)
  const isExcluded = series !== undefined && exclude(series, instant)
  return exception !== undefined || isExcluded ? 'changed' : 'same'
}

function cancelFollowing(
  calendar: ICAL.Component,
  series: ICAL.Component | undefined,
  exceptions: readonly ICAL.Component[],
  instant: number,
): CancelChange['kind'] {
  const before = calendar.toString()
  for (const exception of exceptions) {
    if ((recurrenceOf(exception, series) ?? 0) >= instant) calendar.removeSubcomponent(exception)
  }
  if (series !== undefined && !endBefore(series, instant)) return 'deleted'
  return calendar.toString() === before ? 'same' : 'changed'
}
