import { displayAddress } from '@gatehouse/contract/canonical-address'
import { type Language, locales } from '@gatehouse/contract/language'
import type { MessageKey, Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { button, greeting, moment, paragraph, place } from './phrases.ts'

/** Data of each kind of e-mail about outgoing mail. */
export interface SendingMailData {
  /** To the owner of an account: mail of a user is held because it looks like someone else's. */
  SendingHeld: {
    name?: string | null | undefined
    /** Address of the user whose mail is held. */
    email: string
    site: string
    at: Date
    ipAddress?: string | null | undefined
    /** ISO 3166-1, if known. */
    countryCode?: string | null | undefined
    /** URL of the page that lists held messages. */
    link: string
  }
  /** To a user who will soon reach a limit. */
  SendingLimitNear: {
    name?: string | null | undefined
    email: string
    site: string
    /** Name of the limit: `user-messages-per-hour`. */
    limit: string
    used: number
    most: number
  }
}

interface Context<Name extends keyof SendingMailData> {
  readonly t: Translate
  readonly language: Language
  readonly data: SendingMailData[Name]
}

interface Content {
  kind: 'themed'
  subject: string
  site: string
  blocks: Block[]
}

export function composeSendingHeld({ t, language, data }: Context<'SendingHeld'>): Content {
  const site = singleLine(data.site)
  const params = { site, email: singleLine(displayAddress(data.email)) }
  const rows: [string, string][] = [[t('mail.password-changed.when'), moment(data.at, language)]]
  if (data.ipAddress) {
    rows.push([t('mail.password-changed.where'), place(data.ipAddress, data.countryCode, language)])
  }
  const steps = [
    { text: t('mail.sending-held.step-ask') },
    { text: t('mail.sending-held.step-password') },
    { text: t('mail.sending-held.step-decide') },
  ]
  return {
    kind: 'themed',
    subject: t('mail.sending-held.subject', params),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t('mail.sending-held.intro', params)),
      { kind: 'facts', rows },
      paragraph(t('mail.sending-held.then')),
      { kind: 'steps', items: steps },
      button(t, t('mail.sending-held.button'), data.link),
      paragraph(t('mail.team', { site })),
    ],
  }
}

const limits: Readonly<Record<string, MessageKey>> = {
  'messages-per-hour': 'mail.sending-limit.messages-per-hour',
  'recipients-per-hour': 'mail.sending-limit.recipients-per-hour',
  'messages-per-day': 'mail.sending-limit.messages-per-day',
  'recipients-per-day': 'mail.sending-limit.recipients-per-day',
}

export function composeSendingLimitNear({ t, language, data }: Context<'SendingLimitNear'>): Content {
  const site = singleLine(data.site)
  const params = { site, email: singleLine(displayAddress(data.email)) }
  const [, scope, kind = ''] = /^(account|user)-(.+)$/.exec(data.limit) ?? []
  const number = new Intl.NumberFormat(locales[language])
  const label = limits[kind]
  const usage = `${number.format(data.used)} / ${number.format(data.most)}`
  return {
    kind: 'themed',
    subject: t('mail.sending-limit.subject', params),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t(scope === 'account' ? 'mail.sending-limit.account' : 'mail.sending-limit.user', params)),
      ...(label === undefined ? [] : [{ kind: 'facts', rows: [[t(label), usage]] } as const]),
      paragraph(t('mail.sending-limit.then')),
      paragraph(t('mail.team', { site })),
    ],
  }
}
