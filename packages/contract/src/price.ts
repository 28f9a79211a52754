import { type Language, locales } from './language.ts'

/**
 * Formats an amount of minor units (cents) as money; specification §9.
 * The German form is the default; bitcoin amounts keep six to nine decimals.
 */
export function formatPrice(cents: number, currency = 'CHF', language: Language = 'de'): string {
  const digits = currency === 'BTC' ? { minimumFractionDigits: 6, maximumFractionDigits: 9 } : {}
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency, ...digits }).format(
    cents / 100,
  )
}

/** The monthly price after a discount in percent, rounded down to whole cents; specification §9. */
export function discountedPrice(cents: number, discount = 0): number {
  return Math.floor((cents * (100 - discount)) / 100)
}
