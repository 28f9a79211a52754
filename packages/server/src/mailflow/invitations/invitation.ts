import { type Decision, decide, type FactValue } from '../decision.ts'
import type { Reason } from '../reasons.ts'
import { applyCancel, cancelsFor } from './apply-cancel.ts'
import { applyReply, replyingAttendee } from './apply-reply.ts'
import { applyRequest } from './apply-request.ts'
import { type CalendarEdit, deleting, type StoredObject, saving } from './calendar-edit.ts'
import { MalformedCalendarError, whileReading } from './calendar-text.ts'
import { type Cancellation, cancellationsOf } from './cancellations.ts'
import { addressOf, attendeeOf } from './components.ts'
import { type InvitationMessage, readInvitation } from './invitation-message.ts'
import { type InvitationNotice, noticeOf } from './notice.ts'
import { mayActFor, organizerProblem, type SenderFacts } from './sender-rights.ts'
import { type Found, findStored } from './stored-object.ts'

export interface InvitationSettings {
  readonly isOn: boolean
}

export interface InvitationFacts {
  /** The iCalendar text of the message; see `calendarTextOf`. */
  readonly calendar: string
  readonly sender: SenderFacts
  /** Canonical addresses of the recipient: their own, aliases, and the one that the message was sent to. */
  readonly addresses: readonly string[]
  /** Canonical domains of the recipient's account. */
  readonly ownDomains: readonly string[]
  /** Objects with the UID of the message in the recipient's calendars. */
  readonly objects: readonly StoredObject[]
  /** What was cancelled of this UID before. */
  readonly cancellations: readonly Cancellation[]
}

export interface InvitationResult {
  readonly decision: Decision
  readonly edit?: CalendarEdit
  readonly notice?: InvitationNotice
  /** To be kept for later messages with this UID; for as long as mail may be late. */
  readonly cancellations?: readonly Cancellation[]
}

/**
 * Decides what an invitation does to the recipient's calendar (RFC 5546). Only the organiser's requests and cancellations
 * and listed attendees' replies change it, and only if their mail is authenticated; older revisions never replace newer
 * ones. All other mail is delivered as it is. Safe to repeat.
 */
export function invitation(facts: InvitationFacts, settings: InvitationSettings): InvitationResult {
  if (!settings.isOn) return { decision: decide('invitation.off') }
  try {
    const message = readInvitation(facts.calendar)
    if (message === undefined)
      return { decision: decide('invitation.untouched', { problem: 'other-method' }) }
    return whileReading(() => judge(message, facts))
  } catch (error) {
    if (!(error instanceof MalformedCalendarError)) throw error
    return { decision: decide('invitation.malformed', { problem: error.message.slice(0, 200) }) }
  }
}

/** The UID under which to look up calendar objects; undefined if the text isn't an invitation that changes calendars. */
export function invitationUid(calendar: string): string | undefined {
  try {
    return readInvitation(calendar)?.uid
  } catch (error) {
    if (error instanceof MalformedCalendarError) return undefined
    throw error
  }
}

interface Case extends Found {
  readonly message: InvitationMessage
  readonly facts: InvitationFacts
  readonly answer: (reason: Reason, problem?: string) => InvitationResult
}

function judge(message: InvitationMessage, facts: InvitationFacts): InvitationResult {
  const { method, uid, organizerAddress, version } = message
  const answer = (reason: Reason, problem?: string): InvitationResult => {
    const kept: Record<string, FactValue | undefined> = { method, uid, organizer: organizerAddress, problem }
    return { decision: decide(reason, { ...kept, ...facts.sender, ...version }) }
  }
  const found = findStored(facts.objects, message.kind)
  if (found === 'unreadable') return answer('invitation.untouched', 'unreadable-object')
  const details: Case = { message, facts, ...found, answer }
  if (method === 'REPLY') return judgeReply(details)
  return judgeOrganizer(details)
}

function judgeOrganizer(details: Case): InvitationResult {
  const { message, facts, known, answer } = details
  const problem = organizerProblem(message, facts.sender, known, facts.ownDomains)
  if (problem !== undefined) return answer('invitation.unverified', problem)
  if (facts.addresses.includes(message.organizerAddress)) return answer('invitation.untouched', 'own-event')
  return message.method === 'CANCEL' ? judgeCancel(details) : judgeRequest(details)
}

function judgeRequest({ message, facts, object, stored, answer }: Case): InvitationResult {
  const isInvited = message.components.some(
    (component) => attendeeOf(component, facts.addresses) !== undefined,
  )
  if (stored === undefined && !isInvited) return answer('invitation.untouched', 'not-invited')
  const change = applyRequest(message, stored, { ...facts, storesExceptions: false })
  if (change.kind !== 'changed') return answer('invitation.untouched', change.kind)
  const edit = saving(change.calendar, message.kind, message.uid, object)
  return { ...answer(object === undefined ? 'invitation.added' : 'invitation.updated'), edit }
}

function judgeCancel(details: Case): InvitationResult {
  const { message, facts, object, stored, known, answer } = details
  if (!cancelsFor(message, facts.addresses)) return answer('invitation.untouched', 'cancelled-for-others')
  const cancellations = cancellationsOf(message)
  if (stored === undefined || object === undefined) {
    return { ...answer('invitation.untouched', 'unknown-event'), cancellations }
  }
  const change = applyCancel(message, stored)
  if (change.kind === 'older') return answer('invitation.untouched', 'older')
  if (change.kind === 'same') return { ...answer('invitation.untouched', 'same'), cancellations }
  const [first] = message.components
  const edit =
    change.kind === 'deleted' ? deleting(object) : saving(change.calendar, message.kind, message.uid, object)
  const notice = first === undefined ? undefined : noticeOf('cancel', first, known, message.organizer)
  return {
    ...answer('invitation.cancelled'),
    edit,
    cancellations,
    ...(notice === undefined ? {} : { notice }),
  }
}

function judgeReply({ message, facts, object, stored, known, answer }: Case): InvitationResult {
  if (stored === undefined || object === undefined) return answer('invitation.untouched', 'unknown-event')
  const organizer = addressOf(known?.getFirstProperty('organizer') ?? null)
  // only the organiser's own object collects answers
  if (organizer !== message.organizerAddress || !facts.addresses.includes(organizer)) {
    return answer('invitation.untouched', 'not-own-event')
  }
  const attendee = replyingAttendee(message)
  const address = addressOf(attendee ?? null)
  if (attendee === undefined || address === undefined) return answer('invitation.untouched', 'no-answer')
  const listed = stored
    .getAllSubcomponents(message.kind)
    .map((component) => attendeeOf(component, [address]))
    .find((property) => property !== undefined)
  if (listed === undefined) return answer('invitation.unverified', 'not-an-attendee')
  if (!mayActFor(attendee, facts.sender, { stored: listed, ownDomains: facts.ownDomains })) {
    return answer('invitation.unverified', 'not-the-attendee')
  }
  const change = applyReply(message, stored)
  if (change.kind === 'same') return answer('invitation.answered', 'same')
  if (change.kind !== 'changed') return answer('invitation.untouched', change.kind)
  const edit = saving(change.calendar, message.kind, message.uid, object)
  const [first] = message.components
  const notice = first === undefined ? undefined : noticeOf('reply', first, known, attendee)
  const isNews = change.isNewAnswer || notice?.comment !== ''
  return { ...answer('invitation.answered'), edit, ...(notice !== undefined && isNews ? { notice } : {}) }
}
