import { z } from 'zod'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import {
  collectCountries,
  collectIncome,
  collectPayers,
  collectSignups,
  collectUsers,
  lockDailyStats,
} from './daily-stats-store.ts'

/** Counts completed days. */
export const collectStatsJob = defineJob('stats:collect', z.unknown())

/** Runs every night at 00:20 UTC. */
export function handleStats(jobs: Jobs, parts: { readonly db: Db; readonly clock: Clock }): void {
  jobs.schedule(collectStatsJob, '20 0 * * *', () => collectStats(parts))
}

/**
 * Counts completed days that weren't counted yet: users gained and lost, new accounts, payments, payers,
 * countries. Idempotent, and can catch up at any time, except for payers and countries of missed days.
 */
export async function collectStats({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  const today = dayOf(clock.now())
  const yesterday = dayOf(after(clock.now(), -day))
  await db.transaction().execute(async (trx) => {
    await lockDailyStats(trx)
    for (const kind of ['created', 'deleted'] as const) await collectUsers(trx, kind, today)
    await collectSignups(trx, today)
    await collectIncome(trx, today)
    await collectPayers(trx, yesterday)
    await collectCountries(trx, yesterday)
  })
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
