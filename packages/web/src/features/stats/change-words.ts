import { number } from '../../i18n/format.ts'

/** By how much a number has grown, with its sign; undefined where there is nothing to compare with. */
export function changeWords(value: number | null, before: number | null): string | undefined {
  if (value === null || before === null || before === 0) return undefined
  const change = (value - before) / before
  const digits = Math.abs(change) < 0.1 ? 1 : 0
  const words = number(change, { style: 'percent', maximumFractionDigits: digits, signDisplay: 'exceptZero' })
  // a hyphen is not read out, and a percent sign stays with its number
  return words.replace('-', '−').replace(/(?<=\d) ?%/, '\u00a0%')
}
