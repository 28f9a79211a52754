import { sql } from 'kysely'
import { amountCell, csvRow } from '../../platform/csv/write-csv.ts'
import type { Db } from '../../platform/db/database.ts'

/** Months of a report, both included, as `YYYY-MM`. */
export interface ReportPeriod {
  readonly first: string
  readonly last: string
}

/** What was received from one country at one rate in one currency. */
export interface VatLine {
  /** ISO 3166-1; null: not known. */
  readonly country: string | null
  readonly currency: string
  /** Hundredths of a percent; null: no VAT. */
  readonly rate: number | null
  readonly payments: number
  readonly net: number
  readonly vat: number
  readonly gross: number
}

/** A year, a quarter or a month: `2026`, `2026-Q1`, `2026-03`; undefined for anything else. */
export function parseReportPeriod(text: string): ReportPeriod | undefined {
  const [, year, quarter, month] = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/i.exec(text) ?? []
  if (year === undefined) return undefined
  if (month !== undefined) return { first: text, last: text }
  const first = quarter === undefined ? 1 : Number(quarter) * 3 - 2
  const last = quarter === undefined ? 12 : first + 2
  const two = (value: number) => String(value).padStart(2, '0')
  return { first: `${year}-${two(first)}`, last: `${year}-${two(last)}` }
}

/**
 * What receipts and credit notes of some months say, by country, rate and currency: the sums of the documents that were
 * sent. The country is that of the rate under which was paid, else that of the customer on the document. `tenantId`
 * undefined: of all tenants.
 */
export async function readVatReport(
  db: Db,
  { first, last }: ReportPeriod,
  tenantId?: number,
): Promise<VatLine[]> {
  const { rows } =
    await sql<VatLine>`select coalesce(v.country, r.facts -> 'customer' ->> 'country') as country,
      r.currency, (l ->> 'rate')::int as rate, count(*)::int as payments, sum((l ->> 'net')::bigint)::float8 as net,
      sum((l ->> 'vat')::bigint)::float8 as vat, sum((l ->> 'gross')::bigint)::float8 as gross
    from receipts r cross join lateral jsonb_array_elements(r.facts -> 'lines') l
      left join payments p on p.id = l ->> 'paymentId' left join vat_rates v on v.id = p.vat_rate_id
    where r.period >= ${first} and r.period <= ${last}
      and (${tenantId ?? null}::int is null or r.tenant_id = ${tenantId ?? null}::int)
    group by 1, 2, 3 order by 1 nulls last, 2, 3 nulls first`.execute(db)
  return rows
}

/** Paid payments of some months that stand on no document yet, so that the report is not complete. */
export async function countUnreceipted(
  db: Db,
  { first, last }: ReportPeriod,
  tenantId?: number,
): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open
    from payments p join wallets w on w.id = p.wallet_id join users o on o.id = w.user_id
    where p.status = 'paid' and p.receipt_id is null and p.amount <> 0
      and to_char(p.paid_at at time zone 'UTC', 'YYYY-MM') between ${first} and ${last}
      and (${tenantId ?? null}::int is null or o.tenant_id = ${tenantId ?? null}::int)`.execute(db)
  return rows[0]?.open ?? 0
}

/** The report as rows of comma-separated values, below `head`. */
export function vatReportCsv(lines: readonly VatLine[], head: readonly string[]): string[] {
  const rows = lines.map(({ country, currency, rate, payments, net, vat, gross }) =>
    csvRow([
      ...[country, rate === null ? null : amountCell(rate), payments],
      ...[amountCell(net), amountCell(vat), amountCell(gross), currency],
    ]),
  )
  return [csvRow(head), ...rows]
}
