import { number } from '../../i18n/format.ts'

/** Formats the change of a number with its sign; undefined if there is nothing to compare with. */
export function changeWords(value: number | null, before: number | null): string | undefined {
  if (value === null || before === null || before === 0) return undefined
  const change = (value - before) / before
  const digits = Math.abs(change) < 0.1 ? 1 : 0
  const words = number(change, { style: 'percent', maximumFractionDigits: digits, signDisplay: 'exceptZero' })
  // screen readers skip hyphens, and a percent sign stays with its number
  return words.replace('-', '−').replace(/(?<=\d) ?%/, '\u00a0%')
}
