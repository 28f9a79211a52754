import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { provisionAll, provisionJob } from '../platform/provision/provision.ts'
import type { ProvisioningAdapter } from './provisioned-object.ts'
import { dropSuperseded, lostWork } from './provisioning-store.ts'
import { type ReconcileParts, reconcile } from './reconcile.ts'

/** Looks for objects that the back end has to be told of and that no job works on. */
export const lostWorkJob = defineJob('provision:look', z.unknown())

/**
 * Takes on the jobs that make the back end know what there is, one adapter for each kind of object. A kind
 * without one fails its jobs, which staff see.
 */
export function handleProvisioning(
  jobs: Jobs,
  parts: ReconcileParts,
  adapters: readonly ProvisioningAdapter[],
): void {
  const byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]))

  jobs.handle(provisionJob, async (object) => {
    const adapter = byKind.get(object.kind)
    if (adapter === undefined) throw new RangeError(`no back-end adapter for ${object.kind}`)
    await reconcile(parts, adapter, object)
  })

  jobs.schedule(lostWorkJob, '17 * * * *', async () => {
    for (const adapter of adapters) {
      await provisionAll(parts.db, adapter.kind, await lostWork(parts.db, adapter))
    }
    await dropSuperseded(parts.db)
  })
}
