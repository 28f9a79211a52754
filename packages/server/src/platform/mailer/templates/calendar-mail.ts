import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Language } from '@gatehouse/contract/language'
import { longDay, longMoment } from '../../i18n/dates.ts'
import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { greeting, paragraph } from './phrases.ts'

/** What an invitation changed in the reader's calendar. Texts are from the sender. */
export interface CalendarFacts {
  readonly kind: 'cancel' | 'reply'
  readonly name?: string | null | undefined
  readonly site: string
  readonly summary: string
  /** `2026-03-01T10:00:00`, or `2026-03-01` for days; null: unknown. */
  readonly start: string | null
  /** Name of the zone of the start; null: none. */
  readonly timeZone: string | null
  readonly isOccurrence: boolean
  /** Who cancelled or answered. */
  readonly person: { readonly address: string; readonly name: string }
  /** Answer in upper case; null for cancellations. */
  readonly answer: string | null
  readonly comment: string
}

interface CalendarContext {
  readonly t: Translate
  readonly language: Language
  readonly data: CalendarFacts
}

const longestSummary = 200

/** Composes the e-mail: who did what, when the event is, and the sender's comment. */
export function composeCalendarMail({ t, language, data }: CalendarContext): {
  kind: 'themed'
  subject: string
  site: string
  blocks: Block[]
} {
  const site = singleLine(data.site)
  const summary = singleLine(data.summary, longestSummary) || t('mail.calendar.untitled')
  const person = personOf(data.person)
  const comment = singleLine(data.comment, 1000)
  const when = momentOf(data, language)
  const isOccurrence = data.isOccurrence ? 'yes' : 'no'
  const answer = (data.answer ?? '').toLowerCase()
  const rows = [
    ...(when === undefined ? [] : [[t('mail.calendar.when'), when] as const]),
    ...(comment === '' ? [] : [[t('mail.calendar.comment'), comment] as const]),
  ]
  const isReply = data.kind === 'reply'
  return {
    kind: 'themed',
    subject: isReply
      ? t('mail.calendar.reply.subject', { answer, summary })
      : t('mail.calendar.cancel.subject', { summary }),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(
        isReply
          ? t('mail.calendar.reply.intro', { answer, person, summary })
          : t('mail.calendar.cancel.intro', { person, summary, isOccurrence }),
      ),
      ...(rows.length === 0 ? [] : [{ kind: 'facts', rows } as const]),
      ...(isReply && data.isOccurrence ? [paragraph(t('mail.calendar.reply.occurrence'))] : []),
      paragraph(t('mail.team', { site })),
    ],
  }
}

/** A person's name and address, as the sender of a message wrote them. */
export function personOf({ name, address }: CalendarFacts['person']): string {
  const shown = singleLine(displayAddress(address), 320)
  const known = singleLine(name, 100)
  return known === '' || known === shown ? shown : `${known} (${shown})`
}

/** The start in words, with the name of its zone as the sender wrote it. */
export function momentOf(
  { start, timeZone }: Pick<CalendarFacts, 'start' | 'timeZone'>,
  language: Language,
): string | undefined {
  if (start === null) return undefined
  const isDay = !start.includes('T')
  // the local time of its zone, formatted as if it were UTC
  const at = new Date(isDay ? `${start}T00:00:00Z` : `${start}Z`)
  if (Number.isNaN(at.getTime())) return undefined
  if (isDay) return longDay(at, language)
  const zone = singleLine(timeZone ?? '', 60)
  return zone === '' ? longMoment(at, language) : `${longMoment(at, language)} (${zone})`
}
