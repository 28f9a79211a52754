import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'

/** Notifies a user's devices of a pending sign-in; skipped once it is decided. */
export const pushJob = defineJob(
  'companions:push',
  z.object({ userId: z.number().int(), attemptId: z.uuid(), promptId: z.uuid() }),
  3,
)

/** Notifies a user's other devices that one was paired. */
export const pushPairedJob = defineJob(
  'companions:push-paired',
  z.object({ userId: z.number().int(), except: z.uuid(), name: z.string() }),
  3,
)

/** Enqueues a notification to the other devices that one was paired, on commit. */
export async function tellDevices(
  trx: Db,
  jobs: Jobs,
  news: { readonly userId: number; readonly except: string; readonly name: string },
): Promise<void> {
  await jobs.enqueue(trx, pushPairedJob, news)
}
