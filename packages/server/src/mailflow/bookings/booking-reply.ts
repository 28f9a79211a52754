import ICAL from 'ical.js'
import { copyOf, textOf } from '../invitations/components.ts'
import { localTime } from '../invitations/time-zones.ts'
import { versionOf } from '../invitations/version.ts'

export type BookingAnswer = 'ACCEPTED' | 'DECLINED' | 'TENTATIVE'

/** A mail to the organiser. */
export interface BookingReply {
  /** Canonical address. */
  readonly to: string
  readonly answer: BookingAnswer
  /** iCalendar text with METHOD:REPLY. */
  readonly text: string
}

export interface ReplyFacts {
  readonly resource: string
  readonly organizerAddress: string
  /** Epoch seconds. */
  readonly now: number
  readonly hasConflict: boolean
}

/** Writes the REPLY of a resource to components of a request (RFC 5546 §3.2.3). */
export function bookingReply(
  calendar: ICAL.Component,
  components: readonly ICAL.Component[],
  answer: BookingAnswer,
  facts: ReplyFacts,
): BookingReply {
  const reply = new ICAL.Component('vcalendar')
  reply.addPropertyWithValue('prodid', '-//Gatehouse//Bookings//EN')
  reply.addPropertyWithValue('version', '2.0')
  reply.addPropertyWithValue('method', 'REPLY')
  for (const zone of calendar.getAllSubcomponents('vtimezone')) reply.addSubcomponent(copyOf(zone))
  for (const component of components) reply.addSubcomponent(answered(component, answer, facts))
  return { to: facts.organizerAddress, answer, text: `${reply.toString()}\r\n` }
}

function answered(component: ICAL.Component, answer: BookingAnswer, facts: ReplyFacts): ICAL.Component {
  const event = new ICAL.Component('vevent')
  event.addPropertyWithValue('uid', textOf(component, 'uid'))
  const stamp = localTime(facts.now, ICAL.Timezone.utcTimezone)
  stamp.zone = ICAL.Timezone.utcTimezone
  event.addPropertyWithValue('dtstamp', stamp)
  event.addPropertyWithValue('sequence', versionOf(component).sequence)
  for (const name of ['recurrence-id', 'dtstart', 'dtend', 'duration', 'summary', 'organizer']) {
    const property = component.getFirstProperty(name)
    if (property !== null) event.addProperty(ICAL.Property.fromString(property.toICALString()))
  }
  const attendee = new ICAL.Property('attendee')
  attendee.setValue(`mailto:${facts.resource}`)
  attendee.setParameter('partstat', answer)
  event.addProperty(attendee)
  const status = facts.hasConflict ? '4.0;Event conflict. Date-time is busy.' : '2.0;Success'
  event.addProperty(ICAL.Property.fromString(`REQUEST-STATUS:${status}`))
  return event
}
