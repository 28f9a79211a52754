import { number } from './format.ts'

const units = ['B', 'kB', 'MB', 'GB'] as const

/** Bytes as people read them, by steps of 1024: `512 B`, `1.4 MB`. The largest unit is GB. */
export function fileSize(bytes: number): string {
  let value = bytes
  let unit = 0
  // what would be shown as 1024 of a unit is 1 of the next one
  while (unit < units.length - 1 && rounded(value, unit) >= 1024) {
    value /= 1024
    unit += 1
  }
  return `${number(rounded(value, unit), { maximumFractionDigits: 1 })}\u00a0${units[unit]}`
}

/** One decimal below a hundred of a unit, none above; bytes have no parts. */
function rounded(value: number, unit: number): number {
  return unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
}
