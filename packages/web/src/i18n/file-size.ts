import { number } from './format.ts'

const units = ['B', 'kB', 'MB', 'GB'] as const

/** Formats bytes in steps of 1024: `512 B`, `1.4 MB`. The largest unit is GB. */
export function fileSize(bytes: number): string {
  let value = bytes
  let unit = 0
  // a value rounded to 1024 of a unit becomes 1 of the next
  while (unit < units.length - 1 && rounded(value, unit) >= 1024) {
    value /= 1024
    unit += 1
  }
  return `${number(rounded(value, unit), { maximumFractionDigits: 1 })}\u00a0${units[unit]}`
}

/** One decimal below a hundred of a unit, none above or for bytes. */
function rounded(value: number, unit: number): number {
  return unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
}
