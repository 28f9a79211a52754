import { requireWallet } from '../../billing/wallet/wallet-access.ts'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { parseObjectId } from '../../platform/ids.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { actorOf } from '../../users/actor.ts'
import { canHandOver, canShareControl, mayChangeAccess } from '../../users/policy.ts'
import { acceptOffer, requireOffer } from './accept-offer.ts'
import { beginHandOver, withdrawHandOver } from './hand-over.ts'
import { endControl, inviteController, readControllers, withdrawInvitation } from './share-control.ts'
import type { OwnerParts } from './shared-account.ts'

export interface ServeOwnerParts extends OwnerParts {
  readonly throttle: Throttle
}

/** Routes for an account's controllers and the offers that add them. */
export function serveOwners(api: Api, parts: ServeOwnerParts): void {
  const { db, throttle } = parts

  api.serve('GET /api/v4/wallets/{id}/controllers', async ({ principal, params }) => {
    const { id, owned } = await requireWallet(db, principal, params.id, canShareControl)
    const mayChange = mayChangeAccess(principal)
    return readControllers(parts, id, { mayChange, mayHandOver: mayChange && canHandOver(principal, owned) })
  })

  api.serveLate('POST /api/v4/wallets/{id}/controllers', async ({ principal, params, read, t, ip }) => {
    const account = await requireWallet(db, principal, params.id, canShareControl)
    const { email } = read()
    await throttle.spend({ kind: 'account-offer', account: account.id, ip })
    const id = await inviteController(parts, account, email, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('owners.invited'), id }
  })

  api.serve('DELETE /api/v4/wallets/{id}/controllers/{user}', async ({ principal, params, t, ip }) => {
    const account = await requireWallet(db, principal, params.id, canShareControl)
    const userId = parseObjectId(params.user)
    await endControl(parts, account, userId, { actor: actorOf(principal, { ip }) })
    return {
      status: 'success',
      message: t(userId === principal.userId ? 'owners.left' : 'owners.removed'),
    }
  })

  api.serve('DELETE /api/v4/wallets/{id}/invitations/{invitation}', async ({ principal, params, t, ip }) => {
    const account = await requireWallet(db, principal, params.id, canShareControl)
    await withdrawInvitation(parts, account, params.invitation, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('owners.withdrawn') }
  })

  api.serve('GET /api/v4/account-offers/{code}', async ({ principal, params }) => {
    const offer = await requireOffer(parts, params.code, principal.userId)
    const { kind, ownerEmail: account, fromEmail: from, heirEmail: heir } = offer
    return { kind, account, from, heir, expires_at: wireDate(offer.expiresAt) }
  })

  api.serve('POST /api/v4/account-offers/{code}/accept', async ({ principal, params, t, ip }) => {
    const actor = actorOf(principal, { ip })
    const { kind } = await acceptOffer(parts, params.code, principal.userId, actor)
    return { status: 'success', message: t(acceptedTexts[kind]), kind }
  })

  api.serveLate('POST /api/v4/wallets/{id}/owner', async ({ principal, params, read, t, ip }) => {
    const account = await requireWallet(db, principal, params.id, canHandOver)
    const { email } = read()
    await throttle.spend({ kind: 'account-offer', account: account.id, ip })
    await beginHandOver(parts, account, email, actorOf(principal, { ip }))
    return { status: 'success', message: t('owners.hand-over-begun') }
  })

  api.serve('DELETE /api/v4/wallets/{id}/owner', async ({ principal, params, t, ip }) => {
    const account = await requireWallet(db, principal, params.id, canHandOver)
    await withdrawHandOver(parts, account, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('owners.hand-over-withdrawn') }
  })
}

const acceptedTexts = {
  controller: 'owners.accepted',
  give: 'owners.hand-over-confirmed',
  take: 'owners.taken',
} as const
