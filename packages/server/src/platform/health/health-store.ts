import { sql } from 'kysely'
import { after, day } from '../clock.ts'
import type { Db } from '../db/database.ts'

/** Returns for how many seconds the oldest job has been due; null if none is. */
export async function oldestDueJob(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - min(run_at))::int as seconds from graphile_worker._private_jobs
    where locked_at is null and attempts < max_attempts and run_at <= now()`.execute(db)
  return rows[0]?.seconds ?? null
}

/** Returns the number of mails of the last day by outcome, and the outcome of the latest one. */
export async function readMailFacts(
  db: Db,
  now: Date,
): Promise<{ sent: number; failed: number; lastOutcome: string | null }> {
  const since = after(now, -day)
  const { rows } = await sql<{ sent: number; failed: number; lastOutcome: string | null }>`select
    count(*) filter (where outcome = 'sent')::int as sent,
    count(*) filter (where outcome = 'failed')::int as failed,
    (select outcome from mail_log order by created_at desc, id desc limit 1) as last_outcome
    from mail_log where created_at > ${since}::timestamptz`.execute(db)
  return rows[0] ?? { sent: 0, failed: 0, lastOutcome: null }
}
