import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'

/** Tells the devices of a user that a sign-in waits; of no use once it does not. */
export const pushJob = defineJob(
  'companions:push',
  z.object({ userId: z.number().int(), attemptId: z.uuid(), promptId: z.uuid() }),
  3,
)

/** Tells the other devices of a user that one was paired. */
export const pushPairedJob = defineJob(
  'companions:push-paired',
  z.object({ userId: z.number().int(), except: z.uuid(), name: z.string() }),
  3,
)

/** Has the other devices told that one was paired, if the transaction comes to its end. */
export async function tellDevices(
  trx: Db,
  jobs: Jobs,
  news: { readonly userId: number; readonly except: string; readonly name: string },
): Promise<void> {
  await jobs.enqueue(trx, pushPairedJob, news)
}
