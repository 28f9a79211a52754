import { amountCell, csvRow } from '../../platform/csv/write-csv.ts'

/** Months of a report, inclusive, as `YYYY-MM`. */
export interface ReportPeriod {
  readonly first: string
  readonly last: string
}

/** Amounts received from one country at one rate in one currency. */
export interface VatLine {
  /** ISO 3166-1; null if unknown. */
  readonly country: string | null
  readonly currency: string
  /** Basis points; null without VAT. */
  readonly rate: number | null
  readonly payments: number
  readonly net: number
  readonly vat: number
  readonly gross: number
}

/** A year, quarter or month: `2026`, `2026-Q1`, `2026-03`; undefined for anything else. */
export function parseReportPeriod(text: string): ReportPeriod | undefined {
  const [, year, quarter, month] = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/i.exec(text) ?? []
  if (year === undefined) return undefined
  if (month !== undefined) return { first: text, last: text }
  const first = quarter === undefined ? 1 : Number(quarter) * 3 - 2
  const last = quarter === undefined ? 12 : first + 2
  const two = (value: number) => String(value).padStart(2, '0')
  return { first: `${year}-${two(first)}`, last: `${year}-${two(last)}` }
}

/** The report as CSV rows, below `head`. */
export function vatReportCsv(lines: readonly VatLine[], head: readonly string[]): string[] {
  const rows = lines.map(({ country, currency, rate, payments, net, vat, gross }) =>
    csvRow([
      ...[country, rate === null ? null : amountCell(rate), payments],
      ...[amountCell(net), amountCell(vat), amountCell(gross), currency],
    ]),
  )
  return [csvRow(head), ...rows]
}
