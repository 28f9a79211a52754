/** A calendar month in UTC, `YYYY-MM`. Sorts chronologically. */
export type Period = string

/** The month of a date. */
export function periodOf(moment: Date): Period {
  return moment.toISOString().slice(0, 7)
}

export function nextPeriod(period: Period): Period {
  const [year = 0, month = 0] = period.split('-').map(Number)
  return periodOf(new Date(Date.UTC(year, month, 1)))
}

/** The start of a month. */
export function startOf(period: Period): Date {
  return new Date(`${period}-01T00:00:00Z`)
}

/** Whether a text is a valid month of this century. */
export function isPeriod(text: string): boolean {
  return /^20\d{2}-(0[1-9]|1[0-2])$/.test(text)
}
