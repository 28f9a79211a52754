import { z } from 'zod'
import { defineJob } from './jobs/job.ts'
import type { Jobs } from './jobs/jobs.ts'

/** Keeps things that expire: tokens, codes, counts. */
export interface Purgeable {
  purge(): Promise<void>
}

export const purgeJob = defineJob('purge', z.unknown())

/** Clears every night at 04:20 UTC what has expired. */
export function schedulePurge(jobs: Jobs, stores: readonly Purgeable[]): void {
  jobs.schedule(purgeJob, '20 4 * * *', async () => {
    for (const store of stores) await store.purge()
  })
}
