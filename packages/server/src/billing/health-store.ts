import { sql } from 'kysely'
import { after, day, hour } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'

/** Alarms of the last week, and payments pending for more than an hour. */
export async function readPaymentFacts(db: Db, now: Date): Promise<{ alarms: number; pending: number }> {
  const { rows } = await sql<{ alarms: number; pending: number }>`select
    (select count(*)::int from payment_alarms where created_at > ${after(now, -7 * day)}::timestamptz) as alarms,
    (select count(*)::int from payments where status in ('open', 'pending', 'authorized')
      and created_at < ${after(now, -hour)}::timestamptz) as pending`.execute(db)
  return rows[0] ?? { alarms: 0, pending: 0 }
}

/** Age in days of the latest exchange rate; null if there is none. */
export async function readRatesAge(db: Db, now: Date): Promise<number | null> {
  const { rows } = await sql<{ age: number | null }>`
    select (${now}::timestamptz at time zone 'UTC')::date - max(day)::date as age from exchange_rates`.execute(
    db,
  )
  return rows[0]?.age ?? null
}
