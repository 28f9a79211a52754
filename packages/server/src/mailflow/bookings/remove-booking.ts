import type ICAL from 'ical.js'
import { type CalendarEdit, deleting, type StoredObject, saving } from '../invitations/calendar-edit.ts'
import { type CalendarKind, exceptionsOf, masterOf, recurrenceOf } from '../invitations/components.ts'
import { exceptionFor, exclude } from '../invitations/series.ts'

/** The edit that gives up what components of a booking are about: a series as a whole, or single occurrences. */
export function withoutComponents(
  object: StoredObject,
  stored: ICAL.Component,
  kind: CalendarKind,
  uid: string,
  components: readonly ICAL.Component[],
): CalendarEdit {
  const series = masterOf(stored, kind)
  for (const component of components) {
    const instant = recurrenceOf(component, series)
    if (instant === undefined) return deleting(object)
    const exception = exceptionFor(exceptionsOf(stored, kind), instant, series)
    if (exception !== undefined) stored.removeSubcomponent(exception)
    if (series !== undefined) exclude(series, instant)
  }
  return stored.getFirstSubcomponent(kind) === null ? deleting(object) : saving(stored, kind, uid, object)
}
