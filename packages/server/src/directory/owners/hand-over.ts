import { offerDays } from '@gatehouse/contract/directory/controllers'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { isLocked } from '../../billing/auto-payment/account-facts.ts'
import { readPayingAccount } from '../../billing/auto-payment/mandate-store.ts'
import type { Actor } from '../../platform/audit.ts'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { provision } from '../../platform/provision/provision.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { findHeir, type Heir, moveAccount } from './hand-over-store.ts'
import { offerCode, offerHash, offerMailJob } from './offer-mail.ts'
import { deleteHandOver, type OfferView, type StoredOffer, writeHandOver } from './offer-store.ts'
import { listControllers } from './owner-store.ts'
import {
  type Account,
  accountOf,
  holdShared,
  type OwnerParts,
  record,
  type SharedBy,
  tellAll,
} from './shared-account.ts'

/**
 * Starts handing an account over to another of its users: the owner confirms by e-mail, then the new owner
 * accepts by e-mail. Ends any unfinished hand-over. Throws ValidationError at `email`, and Forbidden for a
 * tenant's wallet.
 */
export async function beginHandOver(
  parts: OwnerParts,
  account: Account,
  text: string,
  actor: Actor,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdShared(trx, account.id)
    const heir = await requireHeir(trx, account, { email: parseEmailAddress(text)?.full ?? '' })
    const owner = (await listControllers(trx, account.id)).find(({ isOwner }) => isOwner)
    if (owner === undefined) throw new NotFound()
    const reader = { kind: 'give', userId: owner.id, email: owner.email } as const
    await offer(trx, parts, { ...reader, walletId: account.id, invitedBy: owner.id, heirId: heir.id })
    await record(trx, parts.clock, account, 'controller.hand-over-begun', heir.email, { actor })
  })
}

/**
 * Records the owner's consent and asks the heir. The caller holds the account. Throws NotFound,
 * ValidationError.
 */
export async function confirmHandOver(
  trx: Db,
  parts: OwnerParts,
  given: OfferView,
  actor: Actor,
): Promise<void> {
  const { walletId, userId, ownerId, heirId } = given
  if (userId !== ownerId || heirId === null) throw new NotFound()
  const account = accountOf(given)
  const heir = await requireHeir(trx, account, { id: heirId })
  const reader = { kind: 'take', userId: heir.id, email: heir.email } as const
  await offer(trx, parts, { ...reader, walletId, invitedBy: ownerId, heirId })
  await record(trx, parts.clock, account, 'controller.hand-over-confirmed', heir.email, { actor })
}

/**
 * Records the heir's consent and transfers the account. The caller holds the account. Throws NotFound,
 * ValidationError.
 */
export async function takeAccount(trx: Db, parts: OwnerParts, taken: OfferView, actor: Actor): Promise<void> {
  // the offer is void if its author no longer owns the account
  if (taken.invitedBy !== taken.ownerId || taken.heirId === null) throw new NotFound()
  await move(trx, parts, accountOf(taken), { id: taken.heirId }, { actor })
}

/**
 * Hands an account over immediately, for staff with a reason. Throws ValidationError at `email`, Forbidden.
 */
export async function handOver(
  parts: Pick<OwnerParts, 'db' | 'clock'>,
  account: Account,
  text: string,
  by: SharedBy,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await holdShared(trx, account.id)
    await move(trx, parts, account, { email: parseEmailAddress(text)?.full ?? '' }, by)
  })
}

/** Cancels a pending hand-over; its links stop working. Throws NotFound. */
export async function withdrawHandOver(
  { db, clock }: Pick<OwnerParts, 'db' | 'clock'>,
  account: Account,
  by: SharedBy,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdShared(trx, account.id)
    const ended = await deleteHandOver(trx, account.id)
    if (ended === undefined) throw new NotFound()
    await record(trx, clock, account, 'controller.hand-over-withdrawn', ended.email, by)
  })
}

async function move(
  trx: Db,
  parts: Pick<OwnerParts, 'clock'>,
  account: Account,
  who: { readonly email: string } | { readonly id: number },
  by: SharedBy,
): Promise<void> {
  const { id: walletId, ownerId } = account
  const heir = await requireHeir(trx, account, who)
  await deleteHandOver(trx, walletId)
  await moveAccount(trx, { walletId, ownerId, heirId: heir.id })
  const now = { ...account, ownerId: heir.id }
  await record(trx, parts.clock, now, 'controller.owner-changed', heir.email, by)
  await tellAll(trx, parts, await listControllers(trx, walletId), 'account-handed-over', heir.email)
  for (const id of [ownerId, heir.id]) await provision(trx, { kind: 'user', id })
}

/** Throws ValidationError at `email` if the account or this user can't take part in a hand-over now. */
async function requireHeir(
  trx: Db,
  account: Account,
  who: { readonly email: string } | { readonly id: number },
): Promise<Heir> {
  const heir = await findHeir(trx, account.id, who)
  if (heir === undefined) throw ValidationError.at('email', 'owners.heir-member')
  const { active, suspended, degraded } = userStatus
  if (!hasBit(heir.status, active) || hasBit(heir.status, suspended)) {
    throw ValidationError.at('email', 'owners.heir-inactive')
  }
  if (heir.hasOwnAccount) throw ValidationError.at('email', 'owners.heir-owns')
  // these states are stored with the owner but apply to the account
  const paying = await readPayingAccount(trx, account.id)
  if (hasBit(paying.status, suspended) || hasBit(paying.status, degraded) || isLocked(paying)) {
    throw ValidationError.at('email', 'owners.unsettled')
  }
  return heir
}

async function offer(
  trx: Db,
  { clock, jobs, secrets }: Pick<OwnerParts, 'clock' | 'jobs' | 'secrets'>,
  facts: Pick<StoredOffer, 'kind' | 'walletId' | 'email' | 'userId' | 'invitedBy' | 'heirId'>,
): Promise<void> {
  const id = newUuid()
  const now = clock.now()
  const codeHash = offerHash(offerCode(secrets, id))
  const expiresAt = after(now, offerDays * day)
  await writeHandOver(trx, { id, ...facts, codeHash, createdAt: now, expiresAt })
  await jobs.enqueue(trx, offerMailJob, { id }, { key: `account-offer:${id}` })
}
