import ICAL from 'ical.js'
import { parseCalendar } from './calendar-text.ts'
import {
  addressOf,
  answerOf,
  attendeeOf,
  copyOf,
  exceptionsOf,
  masterOf,
  recurrenceOf,
} from './components.ts'
import type { InvitationMessage } from './invitation-message.ts'
import { hasOccurrence, newBudget } from './occurrences.ts'
import type { Budget } from './recurrence-budget.ts'
import { exceptionFor, excludedOf, occurrenceProperty } from './series.ts'
import { instantOf, localTime, timeOf } from './time-zones.ts'
import { compareVersions, type Version, versionOf } from './version.ts'

/** What a reply makes of the organiser's calendar object. */
export type ReplyChange =
  | { readonly kind: 'changed'; readonly calendar: ICAL.Component; readonly isNewAnswer: boolean }
  /** The same reply, or a newer one of that attendee, came before. */
  | { readonly kind: 'same' | 'older' }
  /** It answers another revision than the calendar has. */
  | { readonly kind: 'other-revision' }
  | { readonly kind: 'unknown-occurrence' }

/** The answers that RFC 5545 §3.2.12 has for events and tasks; NEEDS-ACTION isn't one. */
const answers = ['ACCEPTED', 'DECLINED', 'TENTATIVE', 'DELEGATED', 'COMPLETED', 'IN-PROCESS']

/** The one attendee whose reply a message is; undefined if there's none, or if it has no answer. */
export function replyingAttendee({ components }: InvitationMessage): ICAL.Property | undefined {
  const attendees = components.map((component) => component.getAllProperties('attendee'))
  const first = attendees[0]?.[0]
  const address = addressOf(first ?? null)
  const isClear = attendees.every(
    (list) => list.length === 1 && list.every((attendee) => addressOf(attendee) === address),
  )
  if (address === undefined || !isClear) return undefined
  return attendees.flat().every((attendee) => answers.includes(answerOf(attendee))) ? first : undefined
}

/** Applies a REPLY (RFC 5546 §3.2.3) to the organiser's object. */
export function applyReply(invitation: InvitationMessage, stored: ICAL.Component): ReplyChange {
  const calendar = parseCalendar(stored.toString())
  let [isChanged, isNewAnswer] = [false, false]
  let other: Exclude<ReplyChange['kind'], 'changed'> = 'same'
  const budget = newBudget()
  for (const component of invitation.components) {
    const result = replyOne(calendar, component, invitation.kind, budget)
    if (result === 'answered' || result === 'repeated') isChanged = true
    else other = result
    if (result === 'answered') isNewAnswer = true
  }
  return isChanged ? { kind: 'changed', calendar, isNewAnswer } : { kind: other }
}

type ReplyResult = 'answered' | 'repeated' | Exclude<ReplyChange['kind'], 'changed'>

function replyOne(
  calendar: ICAL.Component,
  incoming: ICAL.Component,
  kind: InvitationMessage['kind'],
  budget: Budget,
): ReplyResult {
  const series = masterOf(calendar, kind)
  const instant = recurrenceOf(incoming, series)
  const exception =
    instant === undefined ? undefined : exceptionFor(exceptionsOf(calendar, kind), instant, series)
  const component = instant === undefined ? series : exception
  const base = component ?? series
  if (base === undefined) return 'unknown-occurrence'
  const reply = incoming.getFirstProperty('attendee')
  const address = addressOf(reply)
  const attendee = address === undefined ? undefined : attendeeOf(base, [address])
  if (reply === null || address === undefined || attendee === undefined) return 'unknown-occurrence'
  const version = versionOf(incoming)
  if (version.sequence !== versionOf(base).sequence) return 'other-revision'
  const order = compareVersions(version, receivedOf(attendee))
  if (component !== undefined && order <= 0) return order === 0 ? 'same' : 'older'
  if (component !== undefined) return answer(attendee, reply, version)
  if (series === undefined || instant === undefined) return 'unknown-occurrence'
  const isKnown = hasOccurrence(series, instant, budget) === true && !excludedOf(series).includes(instant)
  const created = isKnown ? newException(series, instant) : undefined
  if (created === undefined) return 'unknown-occurrence'
  calendar.addSubcomponent(created)
  const own = attendeeOf(created, [address])
  return own === undefined ? 'unknown-occurrence' : answer(own, reply, version)
}

/** Parameters that keep which reply of an attendee came last; other calendar programs use them too. */
const received = { sequence: 'x-received-sequence', stamp: 'x-received-dtstamp' }

function receivedOf(attendee: ICAL.Property): Version {
  const sequence = Number(attendee.getFirstParameter(received.sequence) ?? -1)
  const text = attendee.getFirstParameter(received.stamp) ?? ''
  const [, date = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(text) ?? []
  const iso = `${date}${time}`.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z')
  return { sequence: Number.isSafeInteger(sequence) ? sequence : -1, stamp: (Date.parse(iso) || 0) / 1000 }
}

function answer(attendee: ICAL.Property, reply: ICAL.Property, version: Version): ReplyResult {
  const before = answerOf(attendee)
  attendee.setParameter('partstat', answerOf(reply))
  attendee.removeParameter('rsvp')
  const delegates = reply.getFirstParameter('delegated-to')
  if (delegates) attendee.setParameter('delegated-to', delegates)
  attendee.setParameter(received.sequence, String(version.sequence))
  const stamp = localTime(version.stamp, ICAL.Timezone.utcTimezone)
  stamp.zone = ICAL.Timezone.utcTimezone
  attendee.setParameter(received.stamp, stamp.toICALString())
  return before === answerOf(reply) ? 'repeated' : 'answered'
}

/** An exception that says of an occurrence what the series says. */
function newException(series: ICAL.Component, instant: number): ICAL.Component | undefined {
  const id = occurrenceProperty(series, 'recurrence-id', instant)
  const start = occurrenceProperty(series, 'dtstart', instant)
  if (id === undefined || start === undefined) return undefined
  const exception = copyOf(series)
  for (const name of ['rrule', 'rdate', 'exdate', 'exrule', 'dtstart']) exception.removeAllProperties(name)
  for (const name of ['dtend', 'due']) {
    const from = timeOf(series.getFirstProperty('dtstart'))
    const to = timeOf(series.getFirstProperty(name))
    if (from === undefined || to === undefined) continue
    const length = instantOf(to, ICAL.Timezone.utcTimezone) - instantOf(from, ICAL.Timezone.utcTimezone)
    exception.removeAllProperties(name)
    const end = occurrenceProperty(series, name, instant + length)
    if (end !== undefined) exception.addProperty(end)
  }
  exception.addProperty(id)
  exception.addProperty(start)
  for (const attendee of exception.getAllProperties('attendee')) {
    attendee.removeParameter(received.sequence)
    attendee.removeParameter(received.stamp)
  }
  return exception
}
