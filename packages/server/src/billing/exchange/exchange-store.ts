import { sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type ExchangeRate, inverse, parseRate } from './exchange-rate.ts'

/**
 * The rate of a currency in another one that is at most so many days old: the newest of its own, else of the other one's
 * turned round; reference api-billing-admin §7. Undefined: there is none that may be used.
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

/** Sets rates of a base on a day, `YYYY-MM-DD`; those of that day are replaced. Payments keep the rate that they had. */
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
