import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../platform/db/database.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { provisionAll, provisionJob } from '../platform/provision/provision.ts'
import type { ProvisioningAdapter } from './provisioned-object.ts'
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
    if (adapter === undefined) throw new RangeError(`nothing tells the back end of a ${object.kind}`)
    await reconcile(parts, adapter, object)
  })

  jobs.schedule(lostWorkJob, '17 * * * *', async () => {
    for (const adapter of adapters) {
      await provisionAll(parts.db, adapter.kind, await lostWork(parts.db, adapter))
    }
    await dropSuperseded(parts.db)
  })
}

/** Objects whose job was lost: their status or their record says that there is something to do, and nobody does. */
async function lostWork(db: Db, { kind, unsettled }: ProvisioningAdapter): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select open.id from (
      ${unsettled}
      union select object_id from provisioning where kind = ${kind} and step = 'backend' and state <> 'done'
    ) as open (id)
    where not exists (select from graphile_worker._private_jobs
      where key = ${`${provisionJob.name}:${kind}:`} || open.id)`.execute(db)
  return rows.map((row) => row.id)
}

/** A job that failed while a newer one of the same object was being enqueued has no key and is never tried again. */
async function dropSuperseded(db: Db): Promise<void> {
  await sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${provisionJob.name}
      and j.key is null and j.locked_at is null and j.attempts >= j.max_attempts`.execute(db)
}
