import { locales } from '@gatehouse/contract/language'
import { currentLanguage } from '../../i18n/i18n.ts'

/** The largest amount that a limit may have, in cents; the contract says so too. */
export const largest = 100_000_000

/** Reads an amount that somebody typed: whole units, or with a point or comma and cents. Undefined: it is none. */
export function readAmount(text: string): number | undefined {
  const plain = text.trim().replaceAll(/[\s'’\u00a0\u202f]/g, '')
  const [, units, part = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(plain) ?? []
  if (units === undefined) return undefined
  return Number(units) * 100 + Number(part.padEnd(2, '0'))
}

/** An amount as one would type it in the current language. */
export function writeAmount(cents: number): string {
  const format = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }
  return new Intl.NumberFormat(locales[currentLanguage()], format).format(cents / 100)
}

/** An amount that somebody typed as calls take it, `12.34`; null: it is none. */
export function wireAmount(text: string): string | null {
  const cents = readAmount(text)
  return cents === undefined ? null : (cents / 100).toFixed(2)
}

/** Cents of an amount that a call gives in major units. */
export function centsOf(amount: number): number {
  return Math.round(amount * 100)
}
