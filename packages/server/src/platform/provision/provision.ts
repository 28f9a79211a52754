import { mailKinds } from '@gatehouse/contract/directory/kinds'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { enqueueAll } from '../jobs/enqueue.ts'
import { defineJob } from '../jobs/job.ts'
import { type ObjectRef, type ProvisionedKind, refText } from './object-ref.ts'
import { noteChange } from './provisioning-store.ts'

export const objectRef = z.object({
  kind: z.enum(mailKinds),
  id: z.number().int(),
})

/** Syncs an object to the back end. Back ends may be down for days: the backoff grows to six hours. */
export const provisionJob = defineJob('provision', objectRef, 24)

/** Queue for all work on one object: its jobs run in the order they were enqueued. */
export function objectQueue(kind: ProvisionedKind, id: number): string {
  return refText({ kind, id })
}

/**
 * Enqueues a sync of an object to the back end after it was created, changed, deleted or restored. Call it in
 * the transaction of the change, after the change. Calls before the job starts are coalesced; a change made
 * while the job runs is synced afterwards. Revives a dead letter of the object.
 */
export function provision(db: Db, object: ObjectRef): Promise<void> {
  return provisionAll(db, object.kind, [object.id])
}

/** The same for many objects of one kind, in a constant number of statements. */
export async function provisionAll(db: Db, kind: ProvisionedKind, ids: readonly number[]): Promise<void> {
  // lock in a fixed order, so that concurrent writers of the same objects don't deadlock
  const sorted = [...new Set(ids)].sort((one, other) => one - other)
  if (sorted.length === 0) return
  await noteChange(db, kind, sorted)
  await enqueueAll(
    db,
    provisionJob,
    sorted.map((id) => ({
      payload: { kind, id },
      key: `${provisionJob.name}:${refText({ kind, id })}`,
      queue: objectQueue(kind, id),
    })),
  )
}
