import type ICAL from 'ical.js'
import type { StoredObject } from './calendar-edit.ts'
import { MalformedCalendarError, parseCalendar } from './calendar-text.ts'
import { type CalendarKind, exceptionsOf, masterOf } from './components.ts'

/** The object that a message is about, if there is one. */
export interface Found {
  readonly object: StoredObject | undefined
  readonly stored: ICAL.Component | undefined
  /** The series or single event; without one, an exception. */
  readonly known: ICAL.Component | undefined
}

/** The object to change: of several, the one with the series. `unreadable` if one of them can't be read. */
export function findStored(objects: readonly StoredObject[], kind: CalendarKind): Found | 'unreadable' {
  let found: Found = { object: undefined, stored: undefined, known: undefined }
  try {
    for (const object of objects) {
      const stored = parseCalendar(object.text)
      const series = masterOf(stored, kind)
      const known = series ?? exceptionsOf(stored, kind)[0]
      if (known === undefined) return 'unreadable'
      if (found.object === undefined || series !== undefined) found = { object, stored, known }
      if (series !== undefined) break
    }
  } catch (error) {
    if (error instanceof MalformedCalendarError) return 'unreadable'
    throw error
  }
  return found
}
