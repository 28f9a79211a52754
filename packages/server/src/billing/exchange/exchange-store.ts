import { sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type ExchangeRate, inverse, parseRate } from './exchange-rate.ts'

/**
 * The exchange rate of a currency into another, at most the given number of days old: the latest direct one,
 * or else the inverse; reference api-billing-admin §7. Undefined if there is none.
 */
export async function currentRate(
  db: Db,
  clock: Clock,
  pair: { readonly from: string; readonly to: string; readonly maxDays: number },
): Promise<ExchangeRate | undefined> {
  const { from, to, maxDays } = pair
  if (from === to) return { numerator: 1n, denominator: 1n }
  const oldest = after(clock.now(), -maxDays * day)
    .toISOString()
    .slice(0, 10)
  const row = await db
    .selectFrom('exchangeRates')
    .select(['base', 'rate'])
    .where((eb) => eb.or([eb.and({ base: from, currency: to }), eb.and({ base: to, currency: from })]))
    .where('day', '>=', oldest)
    .where('day', '<=', clock.now().toISOString().slice(0, 10))
    .orderBy(sql`base = ${from}`, 'desc')
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  const rate = row && parseRate(row.rate)
  if (row === undefined || rate === undefined) return undefined
  return row.base === from ? rate : inverse(rate)
}

/**
 * Sets the rates of a base currency for a date, `YYYY-MM-DD`, replacing existing ones. Payments keep their
 * rate.
 */
export async function setRates(
  db: Db,
  {
    base,
    day: on,
    rates,
  }: { readonly base: string; readonly day: string; readonly rates: ReadonlyMap<string, string> },
): Promise<void> {
  const rows = [...rates].map(([currency, rate]) => ({ base, currency, day: on, rate }))
  if (rows.length === 0) return
  await db
    .insertInto('exchangeRates')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['base', 'currency', 'day']).doUpdateSet((eb) => ({ rate: eb.ref('excluded.rate') })),
    )
    .execute()
}
