import { z } from 'zod'
import { NotFound } from '../platform/http/errors.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { isDeletedUser } from '../subscriptions/entitlement-store.ts'
import { ownsAccount } from '../users/member-store.ts'
import {
  type ErasedBy,
  ErasedTooEarly,
  type EraseParts,
  eraseDomain,
  eraseObject,
  eraseUser,
} from './erase.ts'
import {
  deletedDomainsOf,
  deletedMembersOf,
  deletedObjectsOf,
  removeObjectFacts,
  removeRoomsOf,
} from './erase-store.ts'

const by = z.object({
  actor: z.object({
    userId: z.number().optional(),
    email: z.string().optional(),
    ip: z.string().optional(),
  }),
  comment: z.string().optional(),
})

/** Erases a deleted account: members, lists, resources, folders, rooms, domains, and its owner last. */
export const eraseAccountJob = defineJob('account:erase', z.object({ ownerId: z.number().int(), by }), 24)

/** Members read at once. */
const batch = 50

/**
 * Registers the account erase job. It works in idempotent steps. It fails and is retried while the back ends
 * still have something; an account that was restored meanwhile is left alone.
 */
export function handleAccountErasure(parts: EraseParts & { readonly jobs: Jobs }): void {
  parts.jobs.handle(eraseAccountJob, async ({ ownerId, by: { actor, comment } }) => {
    const { userId, email, ip } = actor
    const who = { ...(userId !== undefined && { userId }), ...(email && { email }), ...(ip && { ip }) }
    await eraseAccount(parts, ownerId, { actor: who, comment })
  })
}

async function eraseAccount(parts: EraseParts, ownerId: number, who: ErasedBy): Promise<void> {
  const { db } = parts
  if (!(await isDeletedUser(db, ownerId))) return
  // the account deletion is still in progress
  if (await ownsAccount(db, ownerId)) throw new ErasedTooEarly()
  for (;;) {
    const members = await deletedMembersOf(db, ownerId, batch)
    // a member may own another account within this one
    for (const id of members) await eraseAccount(parts, id, who)
    if (members.length < batch) break
  }
  for (const { id, kind } of await deletedObjectsOf(db, ownerId)) {
    await unlessGone(eraseObject(parts, kind, id, who))
  }
  await db.transaction().execute(async (trx) => {
    await removeObjectFacts(trx, 'room', await removeRoomsOf(trx, ownerId))
  })
  for (const id of await deletedDomainsOf(db, ownerId)) await unlessGone(eraseDomain(parts, id, who))
  await unlessGone(eraseUser(parts, ownerId, who))
}

/** Ignores steps that an earlier attempt has completed. */
async function unlessGone(step: Promise<void>): Promise<void> {
  await step.catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
  })
}
