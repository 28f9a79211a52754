import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { SigningKeys } from './tokens/signing-keys.ts'

/** Rotates the signing keys if necessary. */
export const rotateJob = defineJob('oauth-rotate-keys', z.unknown())

/**
 * Registers the job that rotates the signing keys after a configured number of days; runs nightly at 03:40
 * UTC.
 */
export function handleOAuth(
  jobs: Jobs,
  { keys, days }: { readonly keys: SigningKeys; readonly days: number },
): void {
  jobs.schedule(rotateJob, '40 3 * * *', () => keys.rotateOlderThan(days))
}
