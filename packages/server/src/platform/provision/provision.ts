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

/** Makes the back end know an object as it is. A back end may be away for days: the waits grow to six hours. */
export const provisionJob = defineJob('provision', objectRef, 24)

/** Queue of all work on one object: its jobs run in the order in which they were enqueued. */
export function objectQueue(kind: ProvisionedKind, id: number): string {
  return refText({ kind, id })
}

/**
 * Has the back end told how an object is now: new, changed, deleted or restored. Call it in the transaction of
 * the change, after the change. However often that happens before the job begins, the back end is told once; a
 * change that comes while the job runs is told after it. Brings a dead letter of the object back to life.
 */
export function provision(db: Db, object: ObjectRef): Promise<void> {
  return provisionAll(db, object.kind, [object.id])
}

/** The same for many objects of one kind, in a few statements however many there are. */
export async function provisionAll(db: Db, kind: ProvisionedKind, ids: readonly number[]): Promise<void> {
  // one order for all writers, so that two who change the same objects never wait for each other in a ring
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
