import { after, day } from '../../platform/clock.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { dayOf } from './daily-stats.ts'

/** A range of days, `YYYY-MM-DD` in UTC, inclusive. */
export interface StatsSpan {
  readonly from: string
  readonly to: string
}

/** The period in a request. */
export interface WantedSpan {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
}

/** Maximum days of a chart. */
const mostDays = 1830
const first = '2000-01-01'

/** Returns the requested period; undefined if there is none. */
export function spanOf({ from, to }: WantedSpan, today: string): StatsSpan | undefined {
  if (from == null && to == null) return undefined
  const end = to ?? today
  const span = { from: from ?? shift(end, -27), to: end }
  if (span.from < first || span.from > span.to || length(span) > mostDays) {
    throw ValidationError.at(from == null ? 'to' : 'from', 'stats.period', { years: 5 })
  }
  return span
}

/** The four weeks ending on a day. */
export function fourWeeksUntil(to: string): StatsSpan {
  return { from: shift(to, -27), to }
}

/** The same number of days, immediately before. */
export function spanBefore(span: StatsSpan): StatsSpan {
  return { from: shift(span.from, -length(span)), to: shift(span.from, -1) }
}

function length({ from, to }: StatsSpan): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / (day * 1000)) + 1
}

function shift(date: string, days: number): string {
  return dayOf(after(new Date(`${date}T00:00:00Z`), days * day))
}
