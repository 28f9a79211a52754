import type { FastifyInstance } from 'fastify'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { CeilingReached } from '../../subscriptions/ceiling.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { readWalletSetting, writeWalletSetting } from '../wallet/setting-store.ts'
import type { DunParts } from './dun.ts'
import { tellHolders } from './wallet-mail.ts'

/** Seconds within which the owner is mailed only once about rejected orders. */
const pause = day

/** Notifies the controllers of a wallet that its ceiling rejected an order, at most once a day. */
export async function tellCeiling(
  trx: Db,
  { clock, jobs, withLdap }: Omit<DunParts, 'db'>,
  { walletId, ceiling }: CeilingReached,
): Promise<void> {
  await holdWallet(trx, walletId)
  const now = clock.now()
  const last = await readWalletSetting(trx, walletId, 'ceiling_notice')
  if (last !== undefined && after(new Date(last), pause) > now) return
  await writeWalletSetting(trx, walletId, 'ceiling_notice', now.toISOString())
  await tellHolders(trx, jobs, walletId, { mail: 'CeilingReached', threshold: ceiling }, withLdap)
}

/**
 * Sends notices for calls that ended with a rejection. Those calls were rolled back, so this is a separate
 * transaction; if it fails, the response is still the rejection.
 */
export function tellRefusedOrders(fastify: FastifyInstance, parts: DunParts): void {
  fastify.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof CeilingReached)) return
    try {
      await parts.db.transaction().execute((trx) => tellCeiling(trx, parts, error))
    } catch (problem) {
      request.log.error({ err: problem }, 'notification about a refused order failed')
    }
  })
}
