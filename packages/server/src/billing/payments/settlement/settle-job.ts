import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'

/**
 * Settles one payment according to its provider. Retried a few times; after that the next scheduled check
 * takes over.
 */
export const settleJob = defineJob('payment:settle', z.object({ paymentId: z.string() }), 4)

/** Enqueues the settlement of a payment, unless it is already queued. */
export function settleSoon(db: Db, jobs: Jobs, paymentId: string): Promise<void> {
  return jobs.enqueue(db, settleJob, { paymentId }, { key: `payment:settle:${paymentId}` })
}
