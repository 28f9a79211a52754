import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { removeSubscriptions } from '../../subscriptions/change-subscriptions.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { chargeWallet } from '../charging/charge.ts'
import { balanceOf, rolledBack } from './debt-store.ts'

/**
 * Cents that would be forfeited if the account were closed now: closes and charges it, then rolls back. Waits
 * for the wallet's lock and holds it until the end of the transaction.
 */
export async function creditAtEnd(trx: Db, clock: Clock, walletId: string): Promise<number> {
  await holdWallet(trx, walletId)
  return rolledBack(trx, async () => {
    await removeSubscriptions(trx, clock, { walletId, object: 'all' })
    await chargeWallet(trx, walletId, { now: clock.now() })
    return Math.max(0, await balanceOf(trx, walletId))
  })
}
