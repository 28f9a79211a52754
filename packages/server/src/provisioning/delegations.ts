import type { Db } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import {
  createDelegationJob,
  deleteDelegationJob,
  updateDelegationJob,
} from '../users/delegation/delegation-jobs.ts'
import { hasDelegation, markActive, readForBackend } from '../users/delegation/delegation-store.ts'
import type { GroupwareBackend } from './backend.ts'

/**
 * Handles the jobs that sync delegations to the groupware. Each reads the current delegation, because a failed
 * job may be retried after later ones; a delegation between users without mailboxes waits for them.
 */
export function handleDelegations(jobs: Jobs, db: Db, backend: GroupwareBackend): void {
  const tell = async (id: string, call: 'createDelegation' | 'updateDelegation') => {
    const delegation = await readForBackend(db, id)
    if (delegation === undefined || !delegation.isPossible) return
    const { delegator, delegatee, options } = delegation
    await backend[call]({ delegator, delegatee, options })
    await markActive(db, id, options)
  }

  jobs.handle(createDelegationJob, ({ id }) => tell(id, 'createDelegation'))

  jobs.handle(updateDelegationJob, ({ id }) => tell(id, 'updateDelegation'))

  jobs.handle(deleteDelegationJob, async (delegation) => {
    // the pair may have a new delegation by now, whose job has granted its rights
    if (await hasDelegation(db, delegation.delegator.id, delegation.delegatee.id)) return
    await backend.deleteDelegation(delegation)
  })
}
