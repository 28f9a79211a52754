import { createHash } from 'node:crypto'
import type ICAL from 'ical.js'
import type { CalendarKind } from './components.ts'

/** An object in a calendar, as the calendar server has it. */
export interface StoredObject {
  readonly href: string
  /** For conditional requests; null if unknown. */
  readonly etag: string | null
  /** The iCalendar text. */
  readonly text: string
}

/**
 * A change to a calendar. `replace` and `delete` hold only for the object as it was (`If-Match`), and `create` only if there
 * is none (`If-None-Match: *`): if the calendar server refuses it, the rule has to run again on what is there now.
 */
export type CalendarEdit =
  | {
      readonly kind: 'create'
      /** Decides which calendar takes it. */
      readonly component: CalendarKind
      /** Name of the new object, safe in a path. */
      readonly name: string
      readonly text: string
    }
  | { readonly kind: 'replace'; readonly href: string; readonly etag: string | null; readonly text: string }
  | { readonly kind: 'delete'; readonly href: string; readonly etag: string | null }

/** The edit that saves a calendar: in the stored object, or as a new one. */
export function saving(
  calendar: ICAL.Component,
  kind: CalendarKind,
  uid: string,
  stored: StoredObject | undefined,
): CalendarEdit {
  // a calendar object isn't a message (RFC 4791 §4.1)
  calendar.removeAllProperties('method')
  const text = `${calendar.toString()}\r\n`
  if (stored === undefined) return { kind: 'create', component: kind, name: objectName(uid), text }
  return { kind: 'replace', href: stored.href, etag: stored.etag, text }
}

export function deleting({ href, etag }: StoredObject): CalendarEdit {
  return { kind: 'delete', href, etag }
}

const longestName = 200

function objectName(uid: string): string {
  const name = encodeURIComponent(uid)
  const isPlain = name.length <= longestName && !name.startsWith('.')
  return `${isPlain ? name : createHash('sha256').update(uid).digest('hex')}.ics`
}
