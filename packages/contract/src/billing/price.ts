import { type Language, locales } from '../language.ts'

/**
 * Formats an amount of minor units (cents) as money; specification §9.
 * The German form is the default; bitcoin amounts keep six to nine decimals. What is below zero has its minus in front
 * of everything, in every language: Swiss forms would put it between currency and number. It is a minus sign, which
 * is read out, and no hyphen.
 */
export function formatPrice(cents: number, currency = 'CHF', language: Language = 'de'): string {
  const digits = currency === 'BTC' ? { minimumFractionDigits: 6, maximumFractionDigits: 9 } : {}
  const format = new Intl.NumberFormat(locales[language], { style: 'currency', currency, ...digits })
  const amount = format.format(Math.abs(cents) / 100)
  return cents < 0 ? `−\u00a0${amount}` : amount
}
