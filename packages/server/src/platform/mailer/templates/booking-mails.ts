import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Language } from '@gatehouse/contract/language'
import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { type CalendarFacts, momentOf } from './calendar-mail.ts'
import { button, greeting, paragraph } from './phrases.ts'

/** Data of each kind of e-mail about bookings. Texts are from the organizer. */
export interface BookingMailData {
  /** To the organizer, from the resource. */
  BookingReply: {
    site: string
    resource: string
    summary: string
    /** In upper case. */
    answer: string
  }
  /** To the manager of a resource. */
  BookingQuestion: Pick<CalendarFacts, 'start' | 'timeZone'> & {
    name?: string | null | undefined
    site: string
    resource: string
    summary: string
    organizer: string
    isRecurring: boolean
    /** URL of the page where managers decide. */
    link: string
  }
}

interface Context<Name extends keyof BookingMailData> {
  readonly t: Translate
  readonly language: Language
  readonly data: BookingMailData[Name]
}

interface Content {
  kind: 'themed'
  subject: string
  site: string
  blocks: Block[]
}

const textsOf = (t: Translate, { resource, summary }: { resource: string; summary: string }) => ({
  resource: singleLine(resource, 200),
  summary: singleLine(summary, 200) || t('mail.calendar.untitled'),
})

export function composeBookingReply({ t, data }: Context<'BookingReply'>): Content {
  const params = { ...textsOf(t, data), answer: data.answer.toLowerCase() }
  return {
    kind: 'themed',
    subject: t('mail.booking.reply.subject', params),
    site: singleLine(data.site),
    blocks: [paragraph(t('mail.booking.reply.text', params))],
  }
}

export function composeBookingQuestion({ t, language, data }: Context<'BookingQuestion'>): Content {
  const site = singleLine(data.site)
  const organizer = singleLine(displayAddress(data.organizer), 320)
  const params = { ...textsOf(t, data), organizer, isRecurring: data.isRecurring ? 'yes' : 'no' }
  const when = momentOf(data, language)
  return {
    kind: 'themed',
    subject: t('mail.booking.question.subject', params),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t('mail.booking.question.intro', params)),
      ...(when === undefined
        ? []
        : [{ kind: 'facts', rows: [[t('mail.calendar.when'), when] as const] } as const]),
      button(t, t('mail.booking.question.button'), data.link),
      paragraph(t('mail.team', { site })),
    ],
  }
}
