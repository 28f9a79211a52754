import { formatPrice } from '@gatehouse/contract/billing/price'
import type { BilledAmounts } from '@gatehouse/contract/billing/subscriptions'
import { locales } from '@gatehouse/contract/language'
import { currentLanguage, t } from './i18n.ts'

/** An amount of cents as money, in the form of the current language. */
export function price(cents: number, currency = 'CHF'): string {
  return formatPrice(cents, currency, currentLanguage())
}

/** An amount that came in or went out: always with its sign, which is a minus and no hyphen, so that it is read out. */
export function signedPrice(cents: number, currency = 'CHF'): string {
  const sign = cents < 0 ? '−' : '+'
  return cents === 0 ? price(0, currency) : `${sign}\u00a0${price(Math.abs(cents), currency)}`
}

/** An amount below zero with a minus that is read out; any other as it is. */
export function balance(cents: number, currency = 'CHF'): string {
  return cents < 0 ? signedPrice(cents, currency) : price(cents, currency)
}

/** What is billed a month, a year, or both, with a footnote mark when a discount is taken off already. */
export function priceLabel(
  { month, year }: BilledAmounts,
  options: { currency?: string; discount?: number } = {},
): string {
  const { currency, discount = 0 } = options
  const monthly = month > 0 || year === 0 ? [`${price(month, currency)}${t('price.perMonth')}`] : []
  const yearly = year > 0 ? [`${price(year, currency)}${t('price.perYear')}`] : []
  return `${[...monthly, ...yearly].join(' + ')}${discount > 0 ? '¹' : ''}`
}

/** A rate of VAT, which is told in hundredths of a percent. */
export function vatRate(rate: number): string {
  return number(rate / 10_000, { style: 'percent', maximumFractionDigits: 2 })
}

/** A discount, which is told in percent. */
export function discountRate(percent: number): string {
  return number(percent / 100, { style: 'percent' })
}

/** An amount of cents without its currency, with a minus that is read out. */
export function plainAmount(cents: number): string {
  return number(cents / 100, { maximumFractionDigits: 2 }).replace('-', '−')
}

/** A number in the form of the current language. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locales[currentLanguage()], options).format(value)
}

/** A customer number in groups of four, as people read it out. */
export function customerNumber(id: number): string {
  return String(id).replace(/(\d{4})(?=\d)/g, '$1\u00a0')
}

/** A day in the form of the current language, for example "18 Nov 2026". */
export function day(
  value: Date | string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string {
  // a day without a time is the same day everywhere
  const zone = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat(locales[currentLanguage()], { ...zone, ...options }).format(toDate(value))
}

/** Words as a sentence names them, such as "mail, tasks and contacts". */
export function wordList(words: readonly string[]): string {
  return new Intl.ListFormat(locales[currentLanguage()], { type: 'conjunction' }).format(words)
}

/** Words of which one is meant, such as "acme.test or example.org". */
export function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat(locales[currentLanguage()], { type: 'disjunction' }).format(words)
}

/** A day with its time. */
export function moment(value: Date | string): string {
  return day(value, { dateStyle: 'medium', timeStyle: 'short' })
}

const spans = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/** How far a moment is from now, for example "40 seconds ago" or "in 3 minutes". */
export function distance(value: Date | string, now: Date): string {
  const seconds = Math.round((toDate(value).getTime() - now.getTime()) / 1000)
  const span = spans.find((one) => Math.abs(seconds) >= one.seconds)
  const format = new Intl.RelativeTimeFormat(locales[currentLanguage()], { numeric: 'auto' })
  return span
    ? format.format(Math.trunc(seconds / span.seconds), span.unit)
    : format.format(seconds, 'second')
}

/** The server writes `YYYY-MM-DD HH:MM:SS` in UTC; browsers would read that as local time. */
export function toDate(value: Date | string): Date {
  if (value instanceof Date) return value
  return new Date(/^\d{4}-\d\d-\d\d \d/.test(value) ? `${value.replace(' ', 'T')}Z` : value)
}
