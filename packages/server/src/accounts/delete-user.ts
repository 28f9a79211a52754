import { z } from 'zod'
import { provision, provisionAll } from '../groupware/provision.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Tokens } from '../sessions/tokens.ts'
import { removeSubscriptions } from '../subscriptions/change-subscriptions.ts'
import { holdWallet, isDeletedUser } from '../subscriptions/entitlement-store.ts'
import { type AccountView, readAccountViewIn } from './account-view.ts'
import { endDelegationsOf } from './delegation/delegate.ts'
import {
  deleteDomain,
  domainsOf,
  holdDeletedUser,
  markDeleted,
  membersOf,
  ownsAccount,
  walletsOf,
  withdrawTrust,
} from './member-store.ts'
import { snapshot } from './user-snapshot.ts'

export interface DeleteParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly tokens: Tokens
}

const actor = z.object({
  userId: z.number().optional(),
  email: z.string().optional(),
  ip: z.string().optional(),
})

/** Ends what belongs to the accounts of a deleted owner: users, domains, everything that is billed. */
export const deleteAccountJob = defineJob(
  'account:delete',
  z.object({ ownerId: z.number().int(), actor }),
  24,
)

/** Users that one transaction of the job deletes. */
const batch = 50

/**
 * Deletes a user softly: sessions end, nothing is billed any more, the mailbox goes with a job. Addresses stay
 * taken; see ForgetDeleted. With the owner of an account goes the account, in a job.
 */
export async function deleteUser(parts: DeleteParts, view: AccountView, by: Actor): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, view.wallet.id)
    await deleteUserIn(trx, parts, view.user.id, by)
  })
}

/** Takes on the deletion of accounts. It goes in steps that may each be repeated, so an interrupted one goes on. */
export function handleAccountDeletion(parts: DeleteParts): void {
  const { db, jobs } = parts
  jobs.handle(deleteAccountJob, async ({ ownerId, actor: by }) => {
    for (;;) {
      const members = (await isDeletedUser(db, ownerId)) ? await membersOf(db, ownerId, batch) : []
      if (members.length === 0) break
      await db.transaction().execute(async (trx) => {
        for (const walletId of await walletsOf(trx, ownerId)) await holdWallet(trx, walletId)
        // an operator may have restored the account before all of it was deleted
        if (!(await holdDeletedUser(trx, ownerId))) return
        for (const id of members) await deleteUserIn(trx, parts, id, by)
      })
    }
    await db.transaction().execute((trx) => endRest(trx, parts, ownerId, by))
  })
}

/** The domains of an owner, and whatever else is billed to the owner's wallets. */
async function endRest(trx: Db, parts: DeleteParts, ownerId: number, by: Actor): Promise<void> {
  const { clock } = parts
  const wallets = await walletsOf(trx, ownerId)
  for (const walletId of wallets) await holdWallet(trx, walletId)
  if (!(await holdDeletedUser(trx, ownerId))) return
  const domains = await domainsOf(trx, ownerId)
  for (const { id, tenantId } of domains) {
    await deleteDomain(trx, clock, id)
    const event = 'domain.deleted'
    await audit(trx, clock, { tenantId, objectType: 'domain', objectId: id, event, actor: by })
  }
  for (const walletId of wallets) await removeSubscriptions(trx, clock, { walletId, object: 'all' })
  await provisionAll(
    trx,
    'domain',
    domains.map(({ id }) => id),
  )
}

/** Everything that the end of one user means, in a transaction that holds the wallet. */
export async function deleteUserIn(trx: Db, parts: DeleteParts, id: number, by: Actor): Promise<void> {
  const { clock, jobs, tokens } = parts
  const view = await readAccountViewIn(trx, id)
  if (view === undefined || !(await markDeleted(trx, clock, id))) return
  const { tenantId, email } = view.user
  await removeSubscriptions(trx, clock, { walletId: view.wallet.id, object: { type: 'user', id } })
  await tokens.revokeAll(trx, id, 'user deleted')
  await withdrawTrust(trx, id)
  await endDelegationsOf(trx, { clock, jobs }, id, by)
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: 'user.deleted',
    actor: by,
    data: { before: { email, ...snapshot(view) } },
  })
  await provision(trx, { kind: 'user', id })
  if (await ownsAccount(trx, id)) {
    await jobs.enqueue(
      trx,
      deleteAccountJob,
      { ownerId: id, actor: { ...by } },
      { key: `account:delete:${id}` },
    )
  }
}
