import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import { z } from 'zod'
import { closeWallet } from '../billing/life-cycle/close-wallet.ts'
import { creditAtEnd } from '../billing/life-cycle/credit-at-end.ts'
import { requestCancellations } from '../billing/payments/closed-account-jobs.ts'
import { leaveDirectory } from '../directory/departures.ts'
import { endObjectsOf } from '../directory/objects/end-object.ts'
import { endAppPasswords } from '../mail-access/app-passwords/app-passwords.ts'
import { endRoomsOf } from '../meetings/rooms/end-room.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { message, ValidationError } from '../platform/http/errors.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { provision, provisionAll } from '../platform/provision/provision.ts'
import { endApiKeys } from '../sessions/api-keys/api-keys.ts'
import type { Tokens } from '../sessions/tokens/tokens.ts'
import { removeSubscriptions } from '../subscriptions/change-subscriptions.ts'
import { holdWallet, isDeletedUser } from '../subscriptions/entitlement-store.ts'
import { requireDispensable } from '../tenants/tenant-staff.ts'
import type { AccountView } from '../users/account-view/account-view.ts'
import { readAccountViewIn } from '../users/account-view/account-view-store.ts'
import { domainsOf, markDomainDeleted } from '../users/addresses/domain-store.ts'
import { endDelegationsOf } from '../users/delegation/delegate.ts'
import {
  holdDeletedUser,
  markDeleted,
  membersOf,
  ownsAccount,
  walletsOf,
  withdrawTrust,
} from '../users/member-store.ts'
import { snapshot } from '../users/user-snapshot.ts'
import { removeWebhooksOf } from '../webhooks/webhook-store.ts'

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

/** Deletes everything in the accounts of a deleted owner: lists, folders, users, domains, subscriptions. */
export const deleteAccountJob = defineJob(
  'account:delete',
  z.object({ ownerId: z.number().int(), actor, comment: z.string().optional() }),
  24,
)

/** Maximum objects deleted per transaction of the job. */
const batch = 50

/**
 * Soft-deletes a user: sessions and billing end, and a job removes the mailbox. Addresses stay taken; see
 * ForgetDeleted. Deleting the owner also deletes the account, in a job. `comment` is the reason for the audit
 * log.
 */
export async function deleteUser(
  parts: DeleteParts,
  view: AccountView,
  by: Actor,
  comment?: string,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, view.wallet.id)
    await deleteUserIn(trx, parts, view.user.id, by, comment)
  })
}

/**
 * Closes the account on behalf of its owner. Throws CreditLost (422) unless `forfeit` covers the lost balance,
 * in cents.
 */
export async function closeAccount(
  parts: DeleteParts,
  view: AccountView,
  by: Actor,
  { forfeit, language }: { readonly forfeit: number | null | undefined; readonly language: Language },
): Promise<void> {
  const { clock } = parts
  const { id: walletId, currency } = view.wallet
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const credit = await creditAtEnd(trx, clock, walletId)
    if (credit > (forfeit ?? 0)) throw new CreditLost(credit, formatPrice(credit, currency, language))
    await deleteUserIn(trx, parts, view.user.id, by)
  })
}

/** More balance would be lost with the account than was acknowledged. */
class CreditLost extends ValidationError {
  constructor(cents: number, credit: string) {
    super({ forfeit: message('users.credit-lost', { credit, cents: String(cents) }) })
  }
}

/**
 * Registers the account deletion job. It works in idempotent steps, so an interrupted deletion is resumed.
 */
export function handleAccountDeletion(parts: DeleteParts): void {
  const { db, jobs, clock } = parts
  jobs.handle(deleteAccountJob, async ({ ownerId, actor: by, comment }) => {
    // lists and folders first: users needn't be removed from what is deleted as well
    const endSome = async (trx: Db) =>
      // an operator may have restored the account before it was fully deleted
      (await holdDeletedUser(trx, ownerId)) &&
      ((await endObjectsOf(trx, clock, ownerId, batch, by)) ||
        (await endRoomsOf(trx, clock, ownerId, batch, by)))
    while (await inHeldWallets(db, ownerId, endSome));
    for (;;) {
      const members = (await isDeletedUser(db, ownerId)) ? await membersOf(db, ownerId, batch) : []
      if (members.length === 0) break
      await inHeldWallets(db, ownerId, async (trx) => {
        if (!(await holdDeletedUser(trx, ownerId))) return
        for (const id of members) await deleteUserIn(trx, parts, id, by, comment)
      })
    }
    await inHeldWallets(db, ownerId, (trx) => endRest(trx, parts, ownerId, by))
  })
}

/** Runs in a transaction that locks an owner's wallets against concurrent changes. */
function inHeldWallets<T>(db: Db, ownerId: number, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    for (const walletId of await walletsOf(trx, ownerId)) await holdWallet(trx, walletId)
    return work(trx)
  })
}

/** Deletes an owner's domains, and everything else billed to the owner's wallets. */
async function endRest(trx: Db, parts: DeleteParts, ownerId: number, by: Actor): Promise<void> {
  const { clock } = parts
  const wallets = await walletsOf(trx, ownerId)
  if (!(await holdDeletedUser(trx, ownerId))) return
  const domains = await domainsOf(trx, ownerId)
  for (const { id, tenantId } of domains) {
    await markDomainDeleted(trx, clock, id)
    const event = 'domain.deleted'
    await audit(trx, clock, { tenantId, objectType: 'domain', objectId: id, event, actor: by })
  }
  for (const walletId of wallets) {
    await removeSubscriptions(trx, clock, { walletId, object: 'all' })
    await closeWallet(trx, parts, walletId, by)
  }
  await provisionAll(
    trx,
    'domain',
    domains.map(({ id }) => id),
  )
}

/** Deletes one user in a transaction that holds the wallet. */
export async function deleteUserIn(
  trx: Db,
  parts: DeleteParts,
  id: number,
  by: Actor,
  comment?: string,
): Promise<void> {
  const { clock, jobs, tokens } = parts
  const view = await readAccountViewIn(trx, id)
  if (view?.user.role === 'reseller') await requireDispensable(trx, id)
  if (view === undefined || !(await markDeleted(trx, clock, id))) return
  const { tenantId, email } = view.user
  await removeSubscriptions(trx, clock, { walletId: view.wallet.id, object: { type: 'user', id } })
  await tokens.revokeAll(trx, id, 'user deleted')
  await endAppPasswords(trx, id)
  await endApiKeys(trx, id, { andAccounts: true })
  await removeWebhooksOf(trx, id)
  await withdrawTrust(trx, id)
  await endDelegationsOf(trx, { clock, jobs }, id, by)
  const walletId = view.wallet.id
  const addresses = [email, ...view.aliases]
  await leaveDirectory(trx, clock, { walletId, tenantId, addresses, userId: id }, by)
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: 'user.deleted',
    actor: by,
    ...(comment !== undefined && { comment }),
    data: { before: { email, ...snapshot(view) } },
  })
  await provision(trx, { kind: 'user', id })
  const wallets = await walletsOf(trx, id)
  for (const walletId of wallets) await requestCancellations(trx, jobs, walletId)
  if (await ownsAccount(trx, id)) {
    await jobs.enqueue(
      trx,
      deleteAccountJob,
      { ownerId: id, actor: { ...by }, ...(comment !== undefined && { comment }) },
      { key: `account:delete:${id}` },
    )
  } else for (const walletId of wallets) await closeWallet(trx, parts, walletId, by)
}
