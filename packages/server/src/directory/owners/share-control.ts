import { type Controllers, maxControllers, offerDays } from '@gatehouse/contract/directory/controllers'
import { after, day, wireDate } from '../../platform/clock.ts'
import { Forbidden, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import { tellSecurity } from '../../sessions/security-notice.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { offerCode, offerHash, offerMailJob } from './offer-mail.ts'
import { deleteInvitation, listInvitations, readHandOver, writeInvitation } from './offer-store.ts'
import {
  addController,
  findInvitee,
  isTenantWallet,
  listControllers,
  removeController,
  type StoredController,
} from './owner-store.ts'
import {
  type Account,
  holdShared,
  type OwnerParts,
  record,
  type SharedBy,
  tellAll,
} from './shared-account.ts'

/**
 * Returns the controllers and invitations of an account. The controllers of a tenant's wallet follow its
 * staff.
 */
export async function readControllers(
  { db, clock }: Pick<OwnerParts, 'db' | 'clock'>,
  walletId: string,
  { mayChange, mayHandOver }: { readonly mayChange: boolean; readonly mayHandOver: boolean },
): Promise<Controllers> {
  const [people, invitations, handOver, isTenants] = await Promise.all([
    listControllers(db, walletId),
    listInvitations(db, walletId, clock.now()),
    readHandOver(db, walletId, clock.now()),
    isTenantWallet(db, walletId),
  ])
  const list = people.map((one) => ({
    id: one.id,
    email: one.email,
    name: nameOf(one),
    isOwner: one.isOwner,
    isMember: one.isMember,
  }))
  return {
    list,
    invitations: invitations.map(({ id, email, createdAt: created, expiresAt: expires }) => ({
      id,
      email,
      created_at: wireDate(created),
      expires_at: wireDate(expires),
    })),
    count: list.length,
    hasMore: false,
    handOver:
      handOver === undefined
        ? null
        : {
            email: handOver.heirEmail,
            isConfirmed: handOver.kind === 'take',
            expires_at: wireDate(handOver.expiresAt),
          },
    canChange: mayChange && !isTenants,
    canHandOver: mayHandOver && !isTenants,
  }
}

/**
 * Invites a user of the tenant to control an account; staff can invite only users of that account. To avoid
 * revealing whether an external address exists, the invitation looks the same for unknown ones but no e-mail
 * is sent. Returns its id. Throws ValidationError at `email`, and Forbidden for a tenant's wallet.
 */
export async function inviteController(
  parts: OwnerParts,
  account: Account,
  text: string,
  by: SharedBy,
  { isStaff = false } = {},
): Promise<string> {
  const { clock, jobs, secrets } = parts
  const email = parseEmailAddress(text)?.full
  if (email === undefined) throw ValidationError.at('email', 'validation.email')
  const now = clock.now()
  const id = newUuid()
  await parts.db.transaction().execute(async (trx) => {
    await holdShared(trx, account.id)
    const { tenantId } = account.owned
    const people = await listControllers(trx, account.id)
    const invitee = await findInvitee(trx, { tenantId, walletId: account.id, email })
    if (people.some((one) => one.email === email || one.id === invitee?.id)) {
      throw ValidationError.at('email', 'owners.already')
    }
    if (isStaff && invitee?.isMember !== true) throw ValidationError.at('email', 'owners.no-member')
    const others = (await listInvitations(trx, account.id, now)).filter((one) => one.email !== email)
    if (people.length + others.length >= maxControllers) {
      throw ValidationError.at('email', 'owners.too-many', { limit: maxControllers })
    }
    await writeInvitation(trx, {
      id,
      kind: 'controller',
      heirId: null,
      walletId: account.id,
      email,
      userId: invitee?.id ?? null,
      invitedBy: isStaff ? null : (by.actor.userId ?? null),
      codeHash: offerHash(offerCode(secrets, id)),
      createdAt: now,
      expiresAt: after(now, offerDays * day),
    })
    await record(trx, clock, account, 'controller.invited', email, by)
    if (by.actor.userId !== account.ownerId) {
      await tellSecurity(trx, parts, { userId: account.ownerId, kind: 'controller-invited', what: email })
    }
    if (invitee !== undefined) await jobs.enqueue(trx, offerMailJob, { id }, { key: `account-offer:${id}` })
  })
  return id
}

/**
 * Removes a controller from an account, possibly the caller. Throws NotFound if the user is not a controller,
 * and Forbidden for the owner and for a tenant's wallet.
 */
export async function endControl(
  parts: Pick<OwnerParts, 'db' | 'clock'>,
  account: Account,
  userId: number | undefined,
  by: SharedBy,
): Promise<void> {
  const { clock } = parts
  await parts.db.transaction().execute(async (trx) => {
    await holdShared(trx, account.id)
    const people = await listControllers(trx, account.id)
    const one = people.find(({ id }) => id === userId)
    if (one === undefined) throw new NotFound()
    if (one.isOwner) throw new Forbidden(message('owners.owner-stays'))
    await removeController(trx, account.id, one.id, clock.now())
    const event = by.actor.userId === one.id ? 'controller.left' : 'controller.removed'
    await record(trx, clock, account, event, one.email, by)
    await tellAll(trx, parts, people, 'controller-removed', one.email)
  })
}

/** Withdraws an invitation; its link stops working. Throws NotFound. */
export async function withdrawInvitation(
  { db, clock }: Pick<OwnerParts, 'db' | 'clock'>,
  account: Account,
  id: string,
  by: SharedBy,
): Promise<void> {
  if (!isUuid(id)) throw new NotFound()
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, account.id)
    const offer = await deleteInvitation(trx, account.id, id)
    if (offer === undefined) throw new NotFound()
    await record(trx, clock, account, 'controller.invitation-withdrawn', offer.email, by)
  })
}

/** Same as `endControl` or `withdrawInvitation`, by address. Throws ValidationError at `email`, Forbidden. */
export async function endControlOf(
  parts: Pick<OwnerParts, 'db' | 'clock'>,
  account: Account,
  text: string,
  by: SharedBy,
): Promise<void> {
  const { db, clock } = parts
  const email = parseEmailAddress(text)?.full
  const one = (await listControllers(db, account.id)).find((person) => person.email === email)
  if (one !== undefined) return endControl(parts, account, one.id, by)
  const offer = (await listInvitations(db, account.id, clock.now())).find((open) => open.email === email)
  if (offer === undefined) throw ValidationError.at('email', 'owners.nobody')
  return withdrawInvitation(parts, account, offer.id, by)
}

/**
 * Makes a user of the tenant a controller immediately, without their consent. For operators. Throws
 * ValidationError.
 */
export async function giveControl(
  parts: Pick<OwnerParts, 'db' | 'clock'>,
  account: Account,
  text: string,
  by: SharedBy,
): Promise<void> {
  const { db, clock } = parts
  const email = parseEmailAddress(text)?.full ?? ''
  await db.transaction().execute(async (trx) => {
    await holdShared(trx, account.id)
    const { tenantId } = account.owned
    const found = await findInvitee(trx, { tenantId, walletId: account.id, email })
    if (found === undefined) throw ValidationError.at('email', 'owners.nobody')
    const isNew = found.id !== account.ownerId && (await addController(trx, account.id, found.id))
    if (!isNew) throw ValidationError.at('email', 'owners.already')
    await record(trx, clock, account, 'controller.added', email, by)
    await tellAll(trx, parts, await listControllers(trx, account.id), 'controller-added', email)
  })
}

function nameOf({ firstName: first, lastName: last, email }: StoredController): string {
  return `${first ?? ''} ${last ?? ''}`.trim() || email
}
