import type ICAL from 'ical.js'
import { decide, type FactValue } from '../decision.ts'
import { type StoredObject, saving } from '../invitations/calendar-edit.ts'
import { MalformedCalendarError, parseCalendar, whileReading } from '../invitations/calendar-text.ts'
import { addressOf, answerOf, attendeeOf, textOf } from '../invitations/components.ts'
import { compareVersions, type Version, versionOf } from '../invitations/version.ts'
import type { Reason } from '../reasons.ts'
import { type BookingResult, type BookingSettings, conflictFacts, managerOf, setAnswer } from './booking.ts'
import { type BookingAnswer, bookingReply } from './booking-reply.ts'
import { type BusyFacts, checkBooking } from './conflicts.ts'
import { withoutComponents } from './remove-booking.ts'

export interface ManagerAnswerFacts extends BusyFacts {
  /** The booking that waits. */
  readonly object: StoredObject
  /** Canonical address of the signed-in user who answers. */
  readonly by: string
  readonly answer: 'accept' | 'decline'
  /** The version that the manager was asked about. */
  readonly version: Version
}

/**
 * Turns the manager's answer into a booking or a refusal. It counts only for the version that they saw, and only once;
 * what has been booked in the meantime is checked again.
 */
export function managerAnswer(facts: ManagerAnswerFacts, settings: BookingSettings): BookingResult {
  const answer = (reason: Reason, more: Record<string, FactValue> = {}): BookingResult => {
    const { resource, now, by, version } = facts
    const kept = { resource, now, by, answer: facts.answer, policy: settings.policy }
    return { decision: decide(reason, { ...kept, ...version, ...more }) }
  }
  if (managerOf(settings) !== facts.by) return answer('booking.untouched', { problem: 'not-the-manager' })
  try {
    const calendar = parseCalendar(facts.object.text)
    return whileReading(() => judge(calendar, facts, answer))
  } catch (error) {
    if (!(error instanceof MalformedCalendarError)) throw error
    return answer('booking.untouched', { problem: 'unreadable-object' })
  }
}

type Answer = (reason: Reason, more?: Record<string, FactValue>) => BookingResult

function judge(calendar: ICAL.Component, facts: ManagerAnswerFacts, answer: Answer): BookingResult {
  const { resource, version, object } = facts
  const waiting = calendar.getAllSubcomponents('vevent').filter((component) => {
    const isAsked = answerOf(attendeeOf(component, [resource])) === 'TENTATIVE'
    return isAsked && compareVersions(versionOf(component), version) <= 0
  })
  const [first] = waiting
  // a newer revision asks again
  const isSeen = waiting.some((component) => compareVersions(versionOf(component), version) === 0)
  const organizerAddress = addressOf(first?.getFirstProperty('organizer') ?? null)
  if (first === undefined || organizerAddress === undefined || !isSeen) {
    return answer('booking.untouched', { problem: 'not-waiting' })
  }
  const uid = textOf(first, 'uid')
  const reply = (text: BookingAnswer, hasConflict = false) =>
    bookingReply(calendar, waiting, text, { ...facts, organizerAddress, hasConflict })
  const refuse = (hasConflict = false) => ({
    reply: reply('DECLINED', hasConflict),
    edit: withoutComponents(object, parseCalendar(object.text), 'vevent', uid, waiting),
  })
  if (facts.answer === 'decline')
    return { ...answer('booking.declined', { uid, problem: 'manager' }), ...refuse() }
  const check = checkBooking(calendar, waiting, facts)
  if (check.kind === 'conflicts') {
    const { conflicts } = check
    return { ...answer('booking.conflict', { uid, ...conflictFacts(conflicts) }), ...refuse(true), conflicts }
  }
  if (check.kind !== 'free')
    return { ...answer('booking.declined', { uid, problem: check.kind }), ...refuse() }
  setAnswer(waiting, resource, 'ACCEPTED')
  const edit = saving(calendar, 'vevent', uid, object)
  return { ...answer('booking.accepted', { uid }), edit, reply: reply('ACCEPTED') }
}
