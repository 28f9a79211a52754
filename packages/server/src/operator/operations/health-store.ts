import { sql } from 'kysely'
import { after, day, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'

export interface HealthFacts {
  /** Seconds that the oldest job has been due; null: none is. */
  oldest: number | null
  sent: number
  failed: number
  lastOutcome: string | null
  provisioningFailed: number
  provisioningWaiting: number
  alarms: number
  pending: number
  /** Days since that of the newest exchange rate; null: there is none. */
  ratesAge: number | null
}

/** What the installation has written down about the work of its parts. */
export async function readFacts(db: Db, now: Date): Promise<HealthFacts> {
  const { rows } = await sql<HealthFacts>`select
    (select extract(epoch from now() - min(run_at))::int from graphile_worker._private_jobs
      where locked_at is null and attempts < max_attempts and run_at <= now()) as oldest,
    (select count(*)::int from mail_log
      where created_at > ${after(now, -day)}::timestamptz and outcome = 'sent') as sent,
    (select count(*)::int from mail_log
      where created_at > ${after(now, -day)}::timestamptz and outcome = 'failed') as failed,
    (select outcome from mail_log order by created_at desc, id desc limit 1) as last_outcome,
    (select count(*)::int from provisioning where state = 'failed') as provisioning_failed,
    (select count(*)::int from provisioning where state = 'waiting') as provisioning_waiting,
    (select count(*)::int from payment_alarms where created_at > ${after(now, -7 * day)}::timestamptz) as alarms,
    (select count(*)::int from payments where status in ('open', 'pending', 'authorized')
      and created_at < ${after(now, -hour)}::timestamptz) as pending,
    (select (${now}::timestamptz at time zone 'UTC')::date - max(day)::date from exchange_rates) as rates_age`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a select without a table has one row')
  return row
}
