import { parseCalendar, whileReading } from '../../invitations/calendar-text.ts'
import { addressOf, answerOf, attendeeOf, textOf } from '../../invitations/components.ts'
import { cut, localStart } from '../../invitations/notice.ts'
import type { BookingRequest } from './booking-store.ts'

type QuestionFacts = Pick<BookingRequest, 'summary' | 'organizer' | 'starts' | 'timeZone' | 'isRecurring'>

/** What a manager has to know about a booking that waits: the first of its events that needs an answer. */
export function questionFacts(calendar: string, resource: string): QuestionFacts {
  return whileReading(() => {
    const events = parseCalendar(calendar).getAllSubcomponents('vevent')
    const event =
      events.find((one) => answerOf(attendeeOf(one, [resource])) === 'TENTATIVE') ?? events[0] ?? null
    const { start, timeZone } = localStart(event?.getFirstProperty('dtstart') ?? null)
    return {
      summary: event === null ? '' : cut(textOf(event, 'summary')),
      organizer: addressOf(event?.getFirstProperty('organizer') ?? null) ?? '',
      ...{ starts: start, timeZone },
      isRecurring: event?.hasProperty('rrule') ?? false,
    }
  })
}

/** What the organizer calls the event of an answer. */
export function summaryOf(calendar: string): string {
  return whileReading(() => {
    const event = parseCalendar(calendar).getFirstSubcomponent('vevent')
    return event === null ? '' : cut(textOf(event, 'summary'))
  })
}
