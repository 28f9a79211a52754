/** A calendar month of UTC, `YYYY-MM`. Such texts sort as the months do. */
export type Period = string

/** The month that a moment lies in. */
export function periodOf(moment: Date): Period {
  return moment.toISOString().slice(0, 7)
}

export function nextPeriod(period: Period): Period {
  const [year = 0, month = 0] = period.split('-').map(Number)
  return periodOf(new Date(Date.UTC(year, month, 1)))
}

/** The first moment of a month. */
export function startOf(period: Period): Date {
  return new Date(`${period}-01T00:00:00Z`)
}

/** A month that can be asked for, of this century; anything else is none. */
export function isPeriod(text: string): boolean {
  return /^20\d{2}-(0[1-9]|1[0-2])$/.test(text)
}
