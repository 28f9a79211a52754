import ICAL from 'ical.js'
import { addressOf, answerOf, recurrenceOf, textOf } from './components.ts'
import { timeOf } from './time-zones.ts'

/** What a mail tells the user about a calendar that was changed; its text is made elsewhere, in the user's language. */
export interface InvitationNotice {
  readonly kind: 'cancel' | 'reply'
  readonly summary: string
  /** `2026-03-01T10:00:00`, or `2026-03-01` for days; null if there is none. */
  readonly start: string | null
  /** Name of the zone of the start, `UTC`, or null for days and times without a zone. */
  readonly timeZone: string | null
  readonly isOccurrence: boolean
  /** Who cancelled or answered. A mail about it mustn't come from that address. */
  readonly person: { readonly address: string; readonly name: string }
  /** The answer in upper case; null for cancellations. */
  readonly answer: string | null
  readonly comment: string
}

const longestText = 1000

/** A notice about what a component of a message does to a stored one. */
export function noticeOf(
  kind: InvitationNotice['kind'],
  incoming: ICAL.Component,
  stored: ICAL.Component | undefined,
  person: ICAL.Property,
): InvitationNotice {
  const isOccurrence = recurrenceOf(incoming) !== undefined
  const start = incoming.getFirstProperty('recurrence-id') ?? stored?.getFirstProperty('dtstart') ?? null
  return {
    kind,
    summary: cut(textOf(stored ?? incoming, 'summary')),
    ...localStart(start),
    isOccurrence,
    person: { address: addressOf(person) ?? '', name: cut(person.getFirstParameter('cn') ?? '') },
    answer: kind === 'reply' ? answerOf(person) : null,
    comment: cut(textOf(incoming, 'comment')),
  }
}

/** The start as a mail shows it; see InvitationNotice. */
export function localStart(start: ICAL.Property | null): Pick<InvitationNotice, 'start' | 'timeZone'> {
  const time = timeOf(start)
  const isZoned = time !== undefined && !time.isDate && time.zone !== ICAL.Timezone.localTimezone
  return {
    start: time === undefined ? null : time.toString().replace(/Z$/, ''),
    timeZone: isZoned ? time.zone.tzid : null,
  }
}

/** A text of a stranger as a mail shows it. */
export function cut(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, longestText)
}
