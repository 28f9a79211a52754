/** The selectable periods, by their names in the URL. */
export const periodNames = ['4w', '3m', '12m', 'year', 'custom'] as const

export type PeriodName = (typeof periodNames)[number]

/** Default period. */
export const usualPeriod: PeriodName = '3m'

/** Dates, `YYYY-MM-DD` in UTC, both inclusive. */
export interface Span {
  from: string
  to: string
}

/** Returns the dates of a period that ends today, or the custom dates if valid. */
export function spanOf(period: PeriodName, now: Date, custom: Partial<Span> = {}): Span {
  const to = dayOf(now)
  if (period === '4w') return { from: dayOf(back(now, { days: 27 })), to }
  if (period === '12m') return { from: dayOf(back(now, { months: 12 })), to }
  if (period === 'year') return { from: `${to.slice(0, 4)}-01-01`, to }
  const usual = { from: dayOf(back(now, { months: 3 })), to }
  if (period === '3m') return usual
  const end = custom.to ?? to
  const from = custom.from ?? dayOf(back(new Date(`${end}T00:00:00Z`), { months: 3 }))
  return from > end ? usual : { from, to: end }
}

/** Goes back by days, or to the day after the same date some months ago. */
function back(now: Date, { days = 0, months = 0 }: { days?: number; months?: number }): Date {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth() - months, now.getUTCDate()]
  if (months === 0) return new Date(Date.UTC(year, month, date - days))
  // clamp to the last day of a shorter month
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date, last) + 1))
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
