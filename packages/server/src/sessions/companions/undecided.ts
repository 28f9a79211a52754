import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { refusalEntry } from '../sign-in/sign-in-log.ts'
import { dropPrompt, expirePrompts, type UndecidedPrompt } from './attempt-store.ts'

const expireJob = defineJob('companions:expire', z.unknown())

/** Records sign-ins that expired without confirmation, including abandoned ones. */
export function handleUndecided(jobs: Jobs, db: Db, clock: Clock): void {
  jobs.schedule(expireJob, '*/5 * * * *', () => recordExpired(db, clock))
}

/** Expires overdue sign-ins of one user or of all, and records each: the password was correct. */
export async function recordExpired(db: Db, clock: Clock, userId?: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const prompt of await expirePrompts(trx, clock.now(), userId)) {
      await record(trx, prompt, 'expired', prompt.expiresAt)
    }
  })
}

/** Abandons a pending sign-in and records that it was started; one that has ended is unchanged. */
export async function giveUp(db: Db, clock: Clock, promptId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const prompt of await dropPrompt(trx, promptId)) await record(trx, prompt, 'given-up', clock.now())
  })
}

async function record(
  trx: Db,
  { userId, service, userAgent, ip }: UndecidedPrompt,
  reason: 'expired' | 'given-up',
  at: Date,
): Promise<void> {
  const method = service === 'reset' ? 'reset' : 'password'
  const isPortal = service === 'web' || service === 'reset'
  const place = { ip, userAgent, service: isPortal ? undefined : service }
  await refusalEntry(userId, { method, reason, place }, at).execute(trx)
}
