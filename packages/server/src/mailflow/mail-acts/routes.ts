import type { Clock } from '../../platform/clock.ts'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import { requireOwn, requireUser } from '../../users/access.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { actorOf } from '../../users/actor.ts'
import { canChooseSenders, canSetPolicies } from '../../users/policy.ts'
import { envelopeAddress } from '../arrival.ts'
import { allowedSenders, allowSender, removeAllowedSender } from '../greylist/allowed-senders.ts'
import { letThrough } from '../greylist/let-through.ts'
import { discardHeld, listHeld, releaseHeld } from '../held-mail/held-mail.ts'
import { findRecipient } from '../recipients/recipient-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
  readonly views: AccountViews
}

/** Serves what people can do about delayed and held mail. */
export function serveMailActs(api: Api, parts: Parts): void {
  serveDelayedMail(api, parts)
  serveHeldMail(api, parts)
}

function serveDelayedMail(api: Api, parts: Parts): void {
  api.serve('POST /api/v4/mail/let-through', async ({ principal, body, t, ip }) => {
    await requireRecipient(parts, principal, body.recipient)
    await letThrough(parts, body, byOf(principal, { ip }))
    return { status: 'success', message: t('mailflow.let-through') }
  })

  api.serve('GET /api/v4/mail/allowed-senders', async ({ principal }) => {
    const { user } = await requireOwn(parts.views, principal)
    return { list: await allowedSenders(parts.db, user.id) }
  })

  api.serve('POST /api/v4/mail/allowed-senders', async ({ principal, body, t, ip }) => {
    const user = await requireMailbox(parts, principal, body.recipient)
    await allowSender(parts, user, body.sender, byOf(principal, { ip }))
    return { status: 'success', message: t('mailflow.sender-allowed') }
  })

  api.serve('POST /api/v4/mail/allowed-senders/remove', async ({ principal, body, t, ip }) => {
    const user = await requireMailbox(parts, principal, body.recipient)
    await removeAllowedSender(parts, user, body.sender, byOf(principal, { ip }))
    return { status: 'success', message: t('mailflow.sender-removed') }
  })
}

function serveHeldMail(api: Api, parts: Parts): void {
  const { db } = parts

  api.serve('GET /api/v4/mail/held', async ({ principal }) => {
    const held = await listHeld({ db }, await requireAccount(parts, principal))
    const list = held.map(({ id, userId, sender, recipients, recipientCount, reason, heldAt }) => ({
      ...{ id, userId, sender, recipients: [...recipients], recipientCount, reason },
      heldAt: wireDate(heldAt),
    }))
    return { list }
  })

  api.serve('POST /api/v4/mail/held/{id}/release', async ({ principal, params, t, ip }) => {
    await requireHeld(parts, principal, params.id)
    if (!(await releaseHeld(parts, params.id, byOf(principal, { ip })))) throw new NotFound()
    return { status: 'success', message: t('mailflow.released') }
  })

  api.serve('POST /api/v4/mail/held/{id}/discard', async ({ principal, params, t, ip }) => {
    await requireHeld(parts, principal, params.id)
    if (!(await discardHeld(parts, params.id, byOf(principal, { ip })))) throw new NotFound()
    return { status: 'success', message: t('mailflow.discarded') }
  })
}

function byOf(principal: Principal, from: Pick<RequestFacts, 'ip'>) {
  return { actor: actorOf(principal, from) }
}

/** The user with a mailbox whose senders the caller may choose. Other addresses are not found. */
async function requireMailbox({ db, views }: Parts, principal: Principal, address: string) {
  const recipient = await findRecipient(db, envelopeAddress(address))
  if (recipient?.kind !== 'user') throw new NotFound()
  const view = await requireUser(views, principal, String(recipient.id), canChooseSenders)
  return { id: view.user.id, tenantId: view.user.tenantId }
}

/** A user's mailbox, or a list, resource or shared folder of an account that the caller controls. */
async function requireRecipient(parts: Parts, principal: Principal, address: string): Promise<void> {
  const recipient = await findRecipient(parts.db, envelopeAddress(address))
  if (recipient?.kind === 'user') return void (await requireMailbox(parts, principal, address))
  const isOwn = recipient !== undefined && recipient.walletId === (await requireAccount(parts, principal))
  if (!isOwn) throw new NotFound()
}

/** The account whose held mail the caller may decide about. */
async function requireAccount({ views }: Parts, principal: Principal): Promise<string> {
  const view = await requireOwn(views, principal)
  if (!canSetPolicies(principal, ownedUser(view)) || view.user.walletId === null) throw new Forbidden()
  return view.user.walletId
}

async function requireHeld(parts: Parts, principal: Principal, id: string): Promise<void> {
  const held = await listHeld(parts, await requireAccount(parts, principal))
  if (!held.some((message) => message.id === id)) throw new NotFound()
}
