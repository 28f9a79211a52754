import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Schema } from '../db/schema.ts'
import type { Job } from './job.ts'
import { addJobs, dropDeadLetters } from './job-store.ts'
import { withTrace } from './trace-jobs.ts'

export interface EnqueueOptions {
  /** A second job with the same key replaces the first one if that has not started. */
  readonly key?: string
  /** Jobs of the same queue run one after another. */
  readonly queue?: string
  readonly runAt?: Date
}

/** One of several jobs of a kind. */
export interface EnqueuedJob<P extends z.ZodType> extends EnqueueOptions {
  readonly payload: z.input<P>
}

/**
 * Enqueues any number of jobs of one kind with a fixed number of statements. Inside a transaction they exist
 * only if it commits. A job replaces a dead letter with the same key.
 */
export async function enqueueAll<P extends z.ZodType>(
  db: Kysely<Schema>,
  job: Job<P>,
  jobs: readonly EnqueuedJob<P>[],
): Promise<void> {
  if (jobs.length === 0) return
  const keys = jobs.flatMap(({ key }) => (key === undefined ? [] : [key]))
  // the library would keep a dead letter next to its successor forever
  if (keys.length > 0) {
    await dropDeadLetters(db, keys)
  }
  await addJobs(
    db,
    job,
    jobs.map(({ payload, ...options }) => ({ ...options, payload: JSON.stringify(withTrace(payload)) })),
  )
}
