import { requireWallet } from '../../billing/wallet/wallet-access.ts'
import type { WalletRecord } from '../../billing/wallet/wallet-store.ts'
import { handOver } from '../../directory/owners/hand-over.ts'
import { endControlOf, inviteController, readControllers } from '../../directory/owners/share-control.ts'
import type { OwnerParts } from '../../directory/owners/shared-account.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { staffAccess } from '../../users/settings/staff-access.ts'
import { looksAfter, mayChangeAccess } from '../policy.ts'
import { byOf, type StaffParts } from '../staff-parts.ts'
import { requireAccessTarget, requireSeen } from '../staff-user.ts'

type Parts = StaffParts & OwnerParts

/** Controllers of a customer's account, in the cockpits. */
export function serveStaffOwners(api: Api, parts: Parts): void {
  const { db, throttle } = parts

  api.serve('GET /api/v4/wallets/{id}/controllers @staff', async ({ principal, params }) => {
    const { id, ownerId } = await requireWallet(db, principal, params.id, looksAfter)
    const view = await requireSeen(db, principal, String(ownerId))
    const isStaffAccessAllowed = staffAccess(view.ownerConfig, parts.config).value
    const may = mayChangeAccess(principal, { owned: ownedUser(view), isStaffAccessAllowed })
    return readControllers(parts, id, { mayChange: may, mayHandOver: may })
  })

  api.serveLate(
    'POST /api/v4/wallets/{id}/controllers @staff',
    async ({ principal, params, read, t, ip }) => {
      const account = await requireCustomerAccount(parts, principal, params.id)
      const { email, reason } = read()
      await throttle.spend({ kind: 'account-offer', account: account.id, ip })
      const by = byOf(actorOf(principal, { ip }), reason)
      const id = await inviteController(parts, account, email, by, { isStaff: true })
      return { status: 'success', message: t('owners.invited'), id }
    },
  )

  api.serveLate(
    'POST /api/v4/wallets/{id}/controllers/remove',
    async ({ principal, params, read, t, ip }) => {
      const account = await requireCustomerAccount(parts, principal, params.id)
      const { email, reason } = read()
      await endControlOf(parts, account, email, byOf(actorOf(principal, { ip }), reason))
      return { status: 'success', message: t('owners.removed') }
    },
  )

  api.serveLate('POST /api/v4/wallets/{id}/owner @staff', async ({ principal, params, read, t, ip }) => {
    const account = await requireCustomerAccount(parts, principal, params.id)
    const { email, reason } = read()
    await handOver(parts, account, email, byOf(actorOf(principal, { ip }), reason))
    return { status: 'success', message: t('owners.handed-over') }
  })
}

/**
 * Returns the account of a wallet, for staff who may decide who can sign in as its owner: control of it is
 * equivalent. Throws NotFound, and Forbidden for colleagues and accounts that deny staff access.
 */
async function requireCustomerAccount(parts: Parts, principal: Principal, id: string): Promise<WalletRecord> {
  const wallet = await requireWallet(parts.db, principal, id, looksAfter)
  await requireAccessTarget(parts, principal, String(wallet.ownerId))
  return wallet
}
