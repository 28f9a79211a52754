import { formatPrice } from '@gatehouse/contract/billing/price'
import type { BilledAmounts } from '@gatehouse/contract/billing/subscriptions'
import { locales } from '@gatehouse/contract/language'
import { currentLanguage, t } from './i18n.ts'

/** Formats cents as money in the current language. */
export function price(cents: number, currency = 'CHF'): string {
  return formatPrice(cents, currency, currentLanguage())
}

/**
 * Formats a credit or debit, always signed. Uses a minus instead of a hyphen, so that screen readers read it
 * out.
 */
export function signedPrice(cents: number, currency = 'CHF'): string {
  return cents > 0 ? `+\u00a0${price(cents, currency)}` : price(cents, currency)
}

/** Formats a balance, which may be negative. */
export function balance(cents: number, currency = 'CHF'): string {
  return price(cents, currency)
}

/** Formats what is billed per month, per year, or both, with a footnote mark if a discount is included. */
export function priceLabel(
  { month, year }: BilledAmounts,
  options: { currency?: string; discount?: number } = {},
): string {
  const { currency, discount = 0 } = options
  const monthly = month > 0 || year === 0 ? [`${price(month, currency)}${t('price.perMonth')}`] : []
  const yearly = year > 0 ? [`${price(year, currency)}${t('price.perYear')}`] : []
  return `${[...monthly, ...yearly].join(' + ')}${discount > 0 ? '¹' : ''}`
}

/** Formats a VAT rate given in hundredths of a percent. */
export function vatRate(rate: number): string {
  return number(rate / 10_000, { style: 'percent', maximumFractionDigits: 2 })
}

/** Formats a discount given in percent. */
export function discountRate(percent: number): string {
  return number(percent / 100, { style: 'percent' })
}

/** Formats cents without currency, with a minus that screen readers read out. */
export function plainAmount(cents: number): string {
  return number(cents / 100, { maximumFractionDigits: 2 }).replace('-', '−')
}

/** Formats a number in the current language. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locales[currentLanguage()], options).format(value)
}

/** Formats a customer number in groups of four. */
export function customerNumber(id: number): string {
  return String(id).replace(/(\d{4})(?=\d)/g, '$1\u00a0')
}

/** Formats a day in the current language, for example "18 Nov 2026". */
export function day(
  value: Date | string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string {
  // a date without time is the same everywhere
  const zone = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat(locales[currentLanguage()], { ...zone, ...options }).format(toDate(value))
}

/** Formats a conjunction, such as "mail, tasks and contacts". */
export function wordList(words: readonly string[]): string {
  return new Intl.ListFormat(locales[currentLanguage()], { type: 'conjunction' }).format(words)
}

/** Formats a disjunction, such as "acme.test or example.org". */
export function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat(locales[currentLanguage()], { type: 'disjunction' }).format(words)
}

/** Formats a day with time. */
export function moment(value: Date | string): string {
  return day(value, { dateStyle: 'medium', timeStyle: 'short' })
}

const spans = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/** Formats relative time, such as "40 seconds ago" or "in 3 minutes". */
export function distance(value: Date | string, now: Date): string {
  const seconds = Math.round((toDate(value).getTime() - now.getTime()) / 1000)
  const span = spans.find((one) => Math.abs(seconds) >= one.seconds)
  const format = new Intl.RelativeTimeFormat(locales[currentLanguage()], { numeric: 'auto' })
  return span
    ? format.format(Math.trunc(seconds / span.seconds), span.unit)
    : format.format(seconds, 'second')
}

/** The server sends `YYYY-MM-DD HH:MM:SS` in UTC, which browsers would parse as local time. */
export function toDate(value: Date | string): Date {
  if (value instanceof Date) return value
  return new Date(/^\d{4}-\d\d-\d\d \d/.test(value) ? `${value.replace(' ', 'T')}Z` : value)
}
