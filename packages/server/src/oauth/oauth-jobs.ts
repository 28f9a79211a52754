import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { SigningKeys } from './tokens/signing-keys.ts'

/** Looks whether the signing keys need successors. */
export const rotateJob = defineJob('oauth-rotate-keys', z.unknown())

/** Replaces the signing keys when they have served so many days; looks every night at 03:40 UTC. */
export function handleOAuth(
  jobs: Jobs,
  { keys, days }: { readonly keys: SigningKeys; readonly days: number },
): void {
  jobs.schedule(rotateJob, '40 3 * * *', () => keys.rotateOlderThan(days))
}
