import type ICAL from 'ical.js'
import { type Decision, decide, type FactValue } from '../decision.ts'
import { applyCancel } from '../invitations/apply-cancel.ts'
import { applyRequest, type ChangedComponent } from '../invitations/apply-request.ts'
import { type CalendarEdit, deleting, type StoredObject, saving } from '../invitations/calendar-edit.ts'
import { MalformedCalendarError, parseCalendar, whileReading } from '../invitations/calendar-text.ts'
import { type Cancellation, cancellationsOf } from '../invitations/cancellations.ts'
import { answerOf, attendeeOf } from '../invitations/components.ts'
import { type InvitationMessage, readInvitation } from '../invitations/invitation-message.ts'
import { organizerProblem, type SenderFacts } from '../invitations/sender-rights.ts'
import { type Found, findStored } from '../invitations/stored-object.ts'
import type { Version } from '../invitations/version.ts'
import type { Reason } from '../reasons.ts'
import { type BookingAnswer, type BookingReply, bookingReply } from './booking-reply.ts'
import { type BusyFacts, type Conflict, checkBooking } from './conflicts.ts'
import { withoutComponents } from './remove-booking.ts'

export interface BookingSettings {
  /** As `spellInvitationPolicy` has it: `manual:` is followed by the manager's canonical address. */
  readonly policy: 'accept' | 'reject' | `manual:${string}`
}

export interface BookingFacts extends BusyFacts {
  /** The iCalendar text of the message; see `calendarTextOf`. */
  readonly calendar: string
  readonly sender: SenderFacts
  /** Canonical domains of the resource's account. */
  readonly ownDomains: readonly string[]
  /** Objects with the UID of the message in the resource's calendar. */
  readonly objects: readonly StoredObject[]
  /** What was cancelled or declined of this UID before. */
  readonly cancellations: readonly Cancellation[]
}

export interface BookingResult {
  readonly decision: Decision
  readonly edit?: CalendarEdit
  readonly reply?: BookingReply
  /** Wanted times at which the resource isn't free. One is enough to decline the request as a whole. */
  readonly conflicts?: readonly Conflict[]
  /** Ask the manager; the answer comes with the same version. */
  readonly question?: { readonly manager: string; readonly uid: string; readonly version: Version }
  /** To be kept for later messages with this UID. */
  readonly cancellations?: readonly Cancellation[]
}

/**
 * Decides on a request for a resource by its policy. Only the organiser's authenticated mail counts. A request that comes
 * again gets the same answer; one that only changes words keeps its answer; a booking that moves is checked again, and is
 * given up if the new time isn't free.
 */
export function booking(facts: BookingFacts, settings: BookingSettings): BookingResult {
  try {
    const message = readInvitation(facts.calendar)
    if (message === undefined || message.method === 'REPLY' || message.kind !== 'vevent') {
      return { decision: decide('booking.untouched', { problem: 'other-method' }) }
    }
    return whileReading(() => judge(message, facts, settings))
  } catch (error) {
    if (!(error instanceof MalformedCalendarError)) throw error
    return { decision: decide('booking.untouched', { problem: `malformed: ${error.message.slice(0, 200)}` }) }
  }
}

interface Case extends Found {
  readonly message: InvitationMessage
  readonly facts: BookingFacts
  readonly settings: BookingSettings
  readonly answer: (reason: Reason, more?: Record<string, FactValue | undefined>) => BookingResult
}

function judge(message: InvitationMessage, facts: BookingFacts, settings: BookingSettings): BookingResult {
  const { method, uid, organizerAddress, version } = message
  const { resource, now } = facts
  const answer: Case['answer'] = (reason, more) => {
    const kept = { method, uid, organizer: organizerAddress, resource, now, policy: settings.policy }
    return { decision: decide(reason, { ...kept, ...facts.sender, ...version, ...more }) }
  }
  const found = findStored(facts.objects, message.kind)
  if (found === 'unreadable') return answer('booking.untouched', { problem: 'unreadable-object' })
  const problem = organizerProblem(message, facts.sender, found.known, facts.ownDomains)
  if (problem !== undefined) return answer('booking.unverified', { problem })
  const details: Case = { message, facts, settings, ...found, answer }
  return method === 'CANCEL' ? cancelBooking(details) : requestBooking(details)
}

function cancelBooking({ message, stored, object, answer }: Case): BookingResult {
  const cancellations = cancellationsOf(message)
  if (stored === undefined || object === undefined) {
    return { ...answer('booking.untouched', { problem: 'unknown-event' }), cancellations }
  }
  const change = applyCancel(message, stored)
  if (change.kind === 'older') return answer('booking.untouched', { problem: 'older' })
  if (change.kind === 'same') return { ...answer('booking.untouched', { problem: 'same' }), cancellations }
  const edit =
    change.kind === 'deleted' ? deleting(object) : saving(change.calendar, message.kind, message.uid, object)
  return { ...answer('booking.cancelled'), edit, cancellations }
}

function requestBooking(details: Case): BookingResult {
  const { message, facts, stored, answer } = details
  const { resource, cancellations } = facts
  const isWanted = message.components.some((component) => attendeeOf(component, [resource]) !== undefined)
  if (!isWanted) return answer('booking.untouched', { problem: 'not-invited' })
  const context = { addresses: [resource], cancellations, storesExceptions: true }
  const change = applyRequest(message, stored, context)
  if (change.kind === 'changed') return bookChange(details, change.calendar, change.changed)
  if (change.kind === 'same' && stored !== undefined) return repeat(details, stored)
  return answer('booking.untouched', { problem: change.kind })
}

/** The answer that was given before. */
function repeat(details: Case, stored: ICAL.Component): BookingResult {
  const { message, facts, answer } = details
  const ids = message.components.map((component) =>
    component.getFirstProperty('recurrence-id')?.toICALString(),
  )
  const components = stored
    .getAllSubcomponents(message.kind)
    .filter((component) => ids.includes(component.getFirstProperty('recurrence-id')?.toICALString()))
  const given = answerOf(attendeeOf(components[0] ?? stored, [facts.resource]))
  if (!isKept(given)) return answer('booking.untouched', { problem: 'same' })
  return { ...answer(reasonOf(given), { isRepeated: true }), reply: replyTo(details, given, false) }
}

function bookChange(
  details: Case,
  calendar: ICAL.Component,
  changed: readonly ChangedComponent[],
): BookingResult {
  const { message, facts, settings, object, answer } = details
  const components = changed.map(({ component }) => component)
  const given = answerOf(attendeeOf(components[0] ?? calendar, [facts.resource]))
  const save = () => saving(calendar, message.kind, message.uid, object)
  if (settings.policy === 'reject')
    return decline(details, 'booking.declined', components, { problem: 'policy' })
  const isMoved = changed.some((change) => change.isMoved)
  // the words changed, the time didn't
  if (object !== undefined && !isMoved && isKept(given)) {
    return { ...answer(reasonOf(given)), edit: save(), reply: replyTo(details, given, false) }
  }
  const check = checkBooking(calendar, components, facts)
  if (check.kind === 'past' || check.kind === 'too-many') {
    return decline(details, 'booking.declined', components, { problem: check.kind })
  }
  if (check.kind === 'conflicts') {
    const result = decline(details, 'booking.conflict', components, conflictFacts(check.conflicts))
    return { ...result, conflicts: check.conflicts }
  }
  const manager = managerOf(settings)
  const reply = manager === undefined ? 'ACCEPTED' : 'TENTATIVE'
  setAnswer(components, facts.resource, reply)
  const result = { ...answer(reasonOf(reply)), edit: save(), reply: replyTo(details, reply, false) }
  const { uid, version } = message
  return manager === undefined ? result : { ...result, question: { manager, uid, version } }
}

/** Gives up what was booked before: the organiser has left that time. */
function decline(
  details: Case,
  reason: Reason,
  components: readonly ICAL.Component[],
  more: Record<string, FactValue>,
): BookingResult {
  const { message, object, answer } = details
  const edit =
    object === undefined
      ? undefined
      : withoutComponents(object, parseCalendar(object.text), message.kind, message.uid, components)
  const reply = replyTo(details, 'DECLINED', reason === 'booking.conflict')
  const result = { ...answer(reason, more), reply, cancellations: cancellationsOf(message) }
  return edit === undefined ? result : { ...result, edit }
}

function replyTo({ message, facts }: Case, answer: BookingAnswer, hasConflict: boolean): BookingReply {
  const { organizerAddress, calendar, components } = message
  return bookingReply(calendar, components, answer, { ...facts, organizerAddress, hasConflict })
}

const factualConflicts = 20

/** The facts of a decision hold the first conflicts and how many there are. */
export function conflictFacts(conflicts: readonly Conflict[]): Record<string, FactValue> {
  const first = conflicts.slice(0, factualConflicts).map(({ start, end }) => ({ start, end }))
  return { conflicts: first, conflictCount: conflicts.length }
}

export function managerOf({ policy }: BookingSettings): string | undefined {
  return policy.startsWith('manual:') ? policy.slice('manual:'.length) : undefined
}

export function setAnswer(
  components: readonly ICAL.Component[],
  resource: string,
  answer: BookingAnswer,
): void {
  for (const component of components) {
    const attendee = attendeeOf(component, [resource])
    attendee?.setParameter('partstat', answer)
    attendee?.removeParameter('rsvp')
  }
}

function isKept(answer: string): answer is 'ACCEPTED' | 'TENTATIVE' {
  return answer === 'ACCEPTED' || answer === 'TENTATIVE'
}

function reasonOf(answer: 'ACCEPTED' | 'TENTATIVE'): Reason {
  return answer === 'ACCEPTED' ? 'booking.accepted' : 'booking.awaits-manager'
}
