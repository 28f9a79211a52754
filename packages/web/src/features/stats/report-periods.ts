/** Period of a VAT report, by API name, and its first day. */
export interface ReportChoice {
  value: string
  first: Date
}

/**
 * Returns the selectable report periods: the last twelve months, four quarters and two years, newest first.
 */
export function reportPeriods(now: Date): ReportChoice[] {
  const year = now.getUTCFullYear()
  const month = now.getUTCMonth()
  const months = Array.from({ length: 12 }, (_, back) => {
    const first = new Date(Date.UTC(year, month - back, 1))
    return { value: first.toISOString().slice(0, 7), first }
  })
  const quarters = Array.from({ length: 4 }, (_, back) => {
    const first = new Date(Date.UTC(year, month - (month % 3) - 3 * back, 1))
    return { value: `${first.getUTCFullYear()}-Q${first.getUTCMonth() / 3 + 1}`, first }
  })
  const years = [year, year - 1].map((one) => ({ value: String(one), first: new Date(Date.UTC(one, 0, 1)) }))
  return [...months, ...quarters, ...years]
}
