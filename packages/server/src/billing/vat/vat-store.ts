import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import type { ReportPeriod, VatLine } from './vat-report.ts'

export interface VatRate {
  readonly id: string
  /** Basis points. */
  readonly rate: number
}

/** The rate of a country on a date; undefined without VAT. */
export async function vatRateOf(db: Db, country: string, at: Date): Promise<VatRate | undefined> {
  return db
    .selectFrom('vatRates')
    .select(['id', 'rate'])
    .where('country', '=', country.toUpperCase())
    .where('startsOn', '<=', sql<string>`(${at}::timestamptz at time zone 'UTC')::date`)
    .orderBy('startsOn', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Sets rates (basis points) from a date on, `YYYY-MM-DD`. Rates already in effect on that date aren't stored
 * again; one starting exactly then is replaced if no payment has used it. Returns the countries whose rate
 * changes.
 */
export async function setVatRates(
  db: Db,
  from: string,
  rates: ReadonlyMap<string, number>,
): Promise<string[]> {
  const changed: string[] = []
  await db.transaction().execute(async (trx) => {
    for (const [country, rate] of [...rates].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { rows } = await sql<{ country: string }>`
        insert into vat_rates (id, country, starts_on, rate)
        select ${newUuid()}::uuid, ${country}::text, ${from}::date, ${rate}::integer
        where ${rate}::integer is distinct from (select v.rate from vat_rates v
          where v.country = ${country} and v.starts_on <= ${from}::date order by v.starts_on desc limit 1)
        on conflict (country, starts_on) do update set rate = excluded.rate
          where not exists (select from payments p where p.vat_rate_id = vat_rates.id)
        returning country`.execute(trx)
      if (rows.length > 0) changed.push(country)
    }
  })
  return changed
}

/**
 * Sums up receipts and credit notes of several months by country, rate and currency. The country is that of
 * the applied rate, or else of the customer on the document. `tenantId` is undefined for all tenants.
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

/** Number of paid payments in these months without a document, which make the report incomplete. */
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
