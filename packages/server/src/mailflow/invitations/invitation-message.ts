import type ICAL from 'ical.js'
import { MalformedCalendarError, parseCalendar, whileReading } from './calendar-text.ts'
import { addressOf, type CalendarKind, kindOf, masterOf, textOf } from './components.ts'
import { compareVersions, type Version, versionOf } from './version.ts'

export type InvitationMethod = 'REQUEST' | 'CANCEL' | 'REPLY'

/** An iTIP message (RFC 5546) about one event or task. */
export interface InvitationMessage {
  readonly method: InvitationMethod
  readonly kind: CalendarKind
  readonly uid: string
  readonly calendar: ICAL.Component
  /** The series or single event first, then its exceptions. */
  readonly components: readonly ICAL.Component[]
  readonly organizer: ICAL.Property
  readonly organizerAddress: string
  /** The newest of its components. */
  readonly version: Version
}

/** A request may hold a series with all its exceptions. */
const maximumComponents = { REQUEST: 500, CANCEL: 100, REPLY: 100 }
const longestUid = 255

/**
 * Reads an invitation. Undefined if it isn't one that changes calendars: other methods, or no event and no task. Throws
 * MalformedCalendarError.
 */
export function readInvitation(text: string): InvitationMessage | undefined {
  const calendar = parseCalendar(text)
  return whileReading(() => {
    const method = textOf(calendar, 'method').toUpperCase()
    const kind = kindOf(calendar)
    if (kind === undefined || !isMethod(method)) return undefined
    const series = masterOf(calendar, kind)
    const all = calendar.getAllSubcomponents(kind)
    if (all.length > maximumComponents[method]) throw new MalformedCalendarError('too many exceptions')
    const components = [
      ...(series === undefined ? [] : [series]),
      ...all.filter((component) => component.hasProperty('recurrence-id')),
    ]
    if (components.length < all.length) throw new MalformedCalendarError('several events')
    return { method, kind, calendar, components, ...identityOf(all), version: newestOf(all) }
  })
}

function isMethod(text: string): text is InvitationMethod {
  return text === 'REQUEST' || text === 'CANCEL' || text === 'REPLY'
}

/** All components are about the same thing of the same organiser (RFC 5546 §3.2). */
function identityOf(components: readonly ICAL.Component[]) {
  const [first] = components
  if (first === undefined) throw new MalformedCalendarError('nothing in it')
  const uid = textOf(first, 'uid')
  if (uid === '' || uid.length > longestUid || /[\p{Cc}\p{Cs}]/u.test(uid)) {
    throw new MalformedCalendarError('UID')
  }
  const organizer = first.getFirstProperty('organizer')
  const organizerAddress = addressOf(organizer)
  if (organizer === null || organizerAddress === undefined) throw new MalformedCalendarError('ORGANIZER')
  for (const component of components) {
    if (textOf(component, 'uid') !== uid) throw new MalformedCalendarError('several UIDs')
    const other = component.getAllProperties('organizer')
    if (other.length !== 1 || other.some((property) => addressOf(property) !== organizerAddress)) {
      throw new MalformedCalendarError('several organisers')
    }
  }
  return { uid, organizer, organizerAddress }
}

function newestOf(components: readonly ICAL.Component[]): Version {
  return components
    .map(versionOf)
    .reduce((newest, version) => (compareVersions(version, newest) > 0 ? version : newest))
}
