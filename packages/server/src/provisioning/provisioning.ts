import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { provisionAll, provisionJob } from '../platform/provision/provision.ts'
import type { ProvisioningAdapter } from './provisioned-object.ts'
import { dropSuperseded, lostWork } from './provisioning-store.ts'
import { type ReconcileParts, reconcile } from './reconcile.ts'

/** Scans for objects that need a sync but have no job. */
export const lostWorkJob = defineJob('provision:look', z.unknown())

/**
 * Handles the jobs that sync objects to the back end, with one adapter per kind of object. Jobs of a kind
 * without an adapter fail, which staff can see.
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
