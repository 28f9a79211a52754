import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { discountedWallet, readDiscount, writeDiscount } from './discount-store.ts'

/** The wallet or the discount doesn't exist, or they belong to different tenants. */
export class DiscountMismatch extends Error {
  override name = 'DiscountMismatch'
}

/**
 * Assigns a discount of the tenant to a wallet, or removes it (null); reference api-billing-admin §9. Previous
 * charges are unaffected. Call it in a transaction. Throws DiscountMismatch.
 */
export async function setDiscount(
  trx: Db,
  clock: Clock,
  change: { readonly walletId: string; readonly discountId: string | null },
  by: { readonly actor: Actor; readonly comment?: string },
): Promise<void> {
  const { walletId, discountId } = change
  await holdWallet(trx, walletId)
  const wallet = await discountedWallet(trx, walletId)
  const wanted = discountId === null ? null : await readDiscount(trx, discountId)
  if (wallet === undefined || (wanted !== null && wanted?.tenantId !== wallet.tenantId)) {
    throw new DiscountMismatch(`wallet ${walletId}, discount ${discountId}`)
  }
  if (wallet.discountId === discountId) return
  await writeDiscount(trx, walletId, discountId)
  await audit(trx, clock, {
    tenantId: wallet.tenantId,
    objectType: 'user',
    objectId: wallet.ownerId,
    event: 'wallet.discount-changed',
    actor: by.actor,
    ...(by.comment !== undefined && { comment: by.comment }),
    data: { before: { discount: wallet.discount }, after: { discount: wanted?.discount ?? null } },
  })
}
