import { after, day } from '../../platform/clock.ts'

/** Returns the Mondays of the last weeks, the current one last; `YYYY-MM-DD`, UTC. */
export function lastWeeks(now: Date, count: number): string[] {
  const sinceMonday = (now.getUTCDay() + 6) % 7
  return Array.from({ length: count }, (_, index) =>
    after(now, -(sinceMonday + (count - 1 - index) * 7) * day)
      .toISOString()
      .slice(0, 10),
  )
}

/**
 * Returns `YYYY-WW` for a Monday: the year of its Thursday (ISO 8601), which keeps weeks at New Year whole.
 */
export function isoWeek(monday: string): string {
  const thursday = after(new Date(`${monday}T00:00:00Z`), 3 * day)
  const year = thursday.getUTCFullYear()
  const days = (thursday.getTime() - Date.UTC(year, 0, 1)) / (day * 1000)
  return `${year}-${String(Math.floor(days / 7) + 1).padStart(2, '0')}`
}

/** Returns the Monday of a day's week. */
export function mondayOf(date: string): string {
  const moment = new Date(`${date}T00:00:00Z`)
  return after(moment, -((moment.getUTCDay() + 6) % 7) * day)
    .toISOString()
    .slice(0, 10)
}

/** Returns the Mondays of all weeks that overlap a span. */
export function weeksOf({ from, to }: { readonly from: string; readonly to: string }): string[] {
  const first = new Date(`${mondayOf(from)}T00:00:00Z`)
  const count = Math.round((Date.parse(`${mondayOf(to)}T00:00:00Z`) - first.getTime()) / (7 * day * 1000)) + 1
  return Array.from({ length: count }, (_, index) =>
    after(first, index * 7 * day)
      .toISOString()
      .slice(0, 10),
  )
}
