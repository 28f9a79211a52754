import { type Language, locales } from '../language.ts'

/**
 * Formats an amount in minor units (cents) as money; specification §9. Defaults to German; bitcoin amounts
 * keep six to nine decimals. Negative amounts start with the sign in every language, although Swiss formats
 * put it between currency and number. It is a minus sign, which screen readers read out, not a hyphen.
 */
export function formatPrice(cents: number, currency = 'CHF', language: Language = 'de'): string {
  const digits = currency === 'BTC' ? { minimumFractionDigits: 6, maximumFractionDigits: 9 } : {}
  const format = new Intl.NumberFormat(locales[language], { style: 'currency', currency, ...digits })
  const amount = format.format(Math.abs(cents) / 100)
  return cents < 0 ? `−\u00a0${amount}` : amount
}
