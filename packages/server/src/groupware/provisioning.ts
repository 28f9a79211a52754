import { hasBit, userStatus } from '@gatehouse/contract/status'
import { z } from 'zod'
import { transition } from '../accounts/user-state.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { defineJob, type Job } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { GroupwareBackend } from './backend.ts'
import { readProvisionedUser } from './backend-user.ts'

const payload = z.object({ id: z.number().int() })
/** A back end may be away for most of a day: the waits grow to six hours. */
const tries = 24

/** Makes a new user's mailbox. Enqueue it in the transaction that creates the user. */
export const createUserJob = defineJob('user:create', payload, tries)

/** Tells the back end what changed: addresses, quota, roles. */
export const updateUserJob = defineJob('user:update', payload, tries)

/** Removes the mailbox of a deleted user. */
export const deleteUserJob = defineJob('user:delete', payload, tries)

/** Queue of all work on one object: its jobs run in the order in which they were enqueued. */
export function objectQueue(kind: string, id: number): string {
  return `${kind}:${id}`
}

/** Enqueues work of the back end on a user, once however often it is asked for before it begins. */
export function provisionUser(jobs: Jobs, db: Db, job: Job<typeof payload>, id: number): Promise<void> {
  return jobs.enqueue(db, job, { id }, { key: `${job.name}:${id}`, queue: objectQueue('user', id) })
}

/**
 * Takes on the jobs that tell the back end about users; reference api-objects §5.3. A job that failed waits for
 * its next try while later ones go on, so each looks at the user as it is now: who is not created yet is not
 * updated, and who is deleted is neither. `onMailboxReady` enqueues what has waited for a user's mailbox.
 */
export function handleProvisioning(
  jobs: Jobs,
  db: Db,
  clock: Clock,
  backend: GroupwareBackend,
  onMailboxReady: (id: number) => Promise<void> = async () => {},
): void {
  jobs.handle(createUserJob, async ({ id }) => {
    const user = await readProvisionedUser(db, id)
    if (user === undefined || user.isDeleted || user.isService || !user.hasMailbox) return
    await backend.createUser(user.backend)
    await transition(db, clock, id, 'mailboxReady')
    await onMailboxReady(id)
    if (!user.awaitsPayment) await transition(db, clock, id, 'activate')
  })

  jobs.handle(updateUserJob, async ({ id }) => {
    const user = await readProvisionedUser(db, id)
    if (user === undefined || user.isDeleted || user.isService) return
    if (!hasBit(user.status, userStatus.imapReady)) return
    await backend.updateUser(user.backend)
  })

  jobs.handle(deleteUserJob, async ({ id }) => {
    const user = await readProvisionedUser(db, id)
    if (user === undefined || !user.isDeleted || hasBit(user.status, userStatus.deleted)) return
    await backend.deleteUser({ id, email: user.backend.email })
    await transition(db, clock, id, 'removed')
  })
}
