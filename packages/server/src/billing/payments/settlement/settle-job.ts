import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'

/** Brings one payment to what its provider says. Tried a few times; after that its next look comes by itself. */
export const settleJob = defineJob('payment:settle', z.object({ paymentId: z.string() }), 4)

/** Has a payment settled as soon as somebody has time; one request for it that waits already is enough. */
export function settleSoon(db: Db, jobs: Jobs, paymentId: string): Promise<void> {
  return jobs.enqueue(db, settleJob, { paymentId }, { key: `payment:settle:${paymentId}` })
}
