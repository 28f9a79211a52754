import { locales } from '@gatehouse/contract/language'
import { currentLanguage } from '../../i18n/i18n.ts'

/** Maximum amount of a limit, in cents; must match the contract. */
export const largest = 100_000_000

/**
 * Parses a typed amount: whole units, optionally with a point or comma and cents. Returns undefined if
 * invalid.
 */
export function readAmount(text: string): number | undefined {
  const plain = text.trim().replaceAll(/[\s'’\u00a0\u202f]/g, '')
  const [, units, part = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(plain) ?? []
  if (units === undefined) return undefined
  return Number(units) * 100 + Number(part.padEnd(2, '0'))
}

/** Formats an amount as typed in the current language. */
export function writeAmount(cents: number): string {
  const format = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }
  return new Intl.NumberFormat(locales[currentLanguage()], format).format(cents / 100)
}

/** Converts a typed amount to the API format, `12.34`; null if invalid. */
export function wireAmount(text: string): string | null {
  const cents = readAmount(text)
  return cents === undefined ? null : (cents / 100).toFixed(2)
}

/** Converts an API amount in major units to cents. */
export function centsOf(amount: number): number {
  return Math.round(amount * 100)
}
