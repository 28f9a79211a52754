import { delegationOptions } from '@gatehouse/contract/directory/delegation'
import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { objectQueue } from '../../platform/provision/provision.ts'
import { type StoredDelegation, waitingDelegations } from './delegation-store.ts'

const tries = 24
const payload = z.object({ id: z.uuid() })
const user = z.object({ id: z.number().int(), email: z.string() })

export const createDelegationJob = defineJob('delegation:create', payload, tries)

export const updateDelegationJob = defineJob('delegation:update', payload, tries)

/** The payload has the granted options, because the delegation no longer exists when the job runs. */
export const deleteDelegationJob = defineJob(
  'delegation:delete',
  z.object({ delegator: user, delegatee: user, options: delegationOptions }),
  tries,
)

/** Syncs a delegation to the groupware, in the queue of the delegator's work. */
export function provisionDelegation(
  jobs: Jobs,
  db: Db,
  job: typeof createDelegationJob,
  delegation: { readonly id: string; readonly delegatorId: number },
): Promise<void> {
  const { id, delegatorId } = delegation
  return jobs.enqueue(db, job, { id }, { key: `${job.name}:${id}`, queue: objectQueue('user', delegatorId) })
}

/** Removes a deleted delegation from the groupware. */
export function withdrawDelegation(jobs: Jobs, db: Db, delegation: StoredDelegation): Promise<void> {
  const { delegator, delegatee, options } = delegation
  return jobs.enqueue(
    db,
    deleteDelegationJob,
    { delegator, delegatee, options },
    { key: `delegation:delete:${delegation.id}`, queue: objectQueue('user', delegator.id) },
  )
}

/** Enqueues delegations that waited for a user's mailbox. */
export async function provisionWaitingDelegations(jobs: Jobs, db: Db, userId: number): Promise<void> {
  for (const { id, delegatorId } of await waitingDelegations(db, userId)) {
    await provisionDelegation(jobs, db, createDelegationJob, { id, delegatorId })
  }
}
