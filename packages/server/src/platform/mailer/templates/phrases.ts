import { type Language, locales } from '@gatehouse/contract/language'
import { longMoment } from '../../i18n/dates.ts'
import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'

export function greeting(t: Translate, name: string | null | undefined): Block {
  // Names are typed by strangers at sign-up: long ones would carry advertising to others.
  const shown = singleLine(name ?? '', 100)
  return paragraph(shown ? t('mail.greeting', { name: shown }) : t('mail.greeting-generic'))
}

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text }
}

export function button(t: Translate, label: string, href: string): Block {
  return { kind: 'button', label, href, fallback: t('mail.link-fallback') }
}

/** Date and time to the minute, UTC. */
export function moment(at: Date, language: Language): string {
  return `${longMoment(at, language)} UTC`
}

/** An IP address with its country, if known. */
export function place(ipAddress: string, countryCode: string | null | undefined, language: Language): string {
  const address = singleLine(ipAddress, 60)
  if (!countryCode || !/^[A-Z]{2}$/.test(countryCode)) return address
  const country = new Intl.DisplayNames([locales[language]], { type: 'region' }).of(countryCode)
  return country && country !== countryCode ? `${address} (${country})` : address
}
