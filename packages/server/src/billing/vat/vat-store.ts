import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'

export interface VatRate {
  readonly id: string
  /** Hundredths of a percent. */
  readonly rate: number
}

/** The rate of a country on a day; undefined: no VAT. */
export async function vatRateOf(db: Db, country: string, at: Date): Promise<VatRate | undefined> {
  return db
    .selectFrom('vat_rates')
    .select(['id', 'rate'])
    .where('country', '=', country.toUpperCase())
    .where('starts_on', '<=', sql<string>`(${at}::timestamptz at time zone 'UTC')::date`)
    .orderBy('starts_on', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Sets rates (hundredths of a percent) from a day on, `YYYY-MM-DD`. A rate that holds on that day already is
 * not written again; one of exactly that day is replaced as long as no payment was made under it.
 * Gives the countries whose rate changes.
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
