import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Language } from '@gatehouse/contract/language'
import { longDay } from '../../i18n/dates.ts'
import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import { button, greeting, paragraph } from './phrases.ts'

/** Data of the e-mail that a password will expire. */
export interface ExpirationFacts {
  name?: string | null | undefined
  email: string
  site: string
  /** When the password expires. */
  expiresAt: Date
  /** Maximum password age in the account, in months. */
  months: number
  /** URL for changing the password. */
  link: string
}

interface Context {
  readonly t: Translate
  readonly language: Language
  readonly data: ExpirationFacts
}

export function composeExpirationMail({ t, language, data }: Context) {
  const site = singleLine(data.site)
  const date = longDay(data.expiresAt, language)
  const facts = { email: singleLine(displayAddress(data.email)), date, months: data.months }
  return {
    kind: 'themed' as const,
    subject: t('mail.password-expiration.subject', { site }),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t('mail.password-expiration.intro', facts)),
      paragraph(t('mail.password-expiration.how')),
      button(t, t('mail.password-expiration.button'), data.link),
      paragraph(t('mail.team', { site })),
    ],
  }
}
