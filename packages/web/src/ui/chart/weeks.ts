const day = 86_400_000

/** Returns the Monday (UTC, milliseconds since 1970) of an ISO 8601 week `YYYY-WW`; undefined if invalid. */
export function weekStart(week: string): number | undefined {
  const [, year, count] = /^(\d{4})-W?(\d{1,2})$/.exec(week) ?? []
  const weeks = Number(count)
  if (year === undefined || weeks < 1 || weeks > 53) return undefined
  // week 1 contains 4 January
  const fourth = Date.UTC(Number(year), 0, 4)
  const sinceMonday = (new Date(fourth).getUTCDay() + 6) % 7
  return fourth + ((weeks - 1) * 7 - sinceMonday) * day
}
