import { after, day } from '../../platform/clock.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { dayOf } from './daily-stats.ts'

/** Days of which numbers are told, `YYYY-MM-DD` in UTC, both included. */
export interface StatsSpan {
  readonly from: string
  readonly to: string
}

/** What a request says about its period. */
export interface WantedSpan {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
}

/** Nobody reads a chart of more weeks than these. */
const mostDays = 1830
const first = '2000-01-01'

/** The period that is wanted; undefined: none is. */
export function spanOf({ from, to }: WantedSpan, today: string): StatsSpan | undefined {
  if (from == null && to == null) return undefined
  const end = to ?? today
  const span = { from: from ?? shift(end, -27), to: end }
  if (span.from < first || span.from > span.to || length(span) > mostDays) {
    throw ValidationError.at(from == null ? 'to' : 'from', 'stats.period', { years: 5 })
  }
  return span
}

/** The last four weeks until a day. */
export function fourWeeksUntil(to: string): StatsSpan {
  return { from: shift(to, -27), to }
}

/** As many days, just before. */
export function spanBefore(span: StatsSpan): StatsSpan {
  return { from: shift(span.from, -length(span)), to: shift(span.from, -1) }
}

function length({ from, to }: StatsSpan): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / (day * 1000)) + 1
}

function shift(date: string, days: number): string {
  return dayOf(after(new Date(`${date}T00:00:00Z`), days * day))
}
