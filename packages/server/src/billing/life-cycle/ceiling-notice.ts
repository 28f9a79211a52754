import type { FastifyInstance } from 'fastify'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { CeilingReached } from '../../subscriptions/ceiling.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { readWalletSetting, writeWalletSetting } from '../wallet/setting-store.ts'
import type { DunParts } from './dun.ts'
import { tellHolders } from './wallet-mail.ts'

/** Seconds in which the owner hears once of orders that the ceiling refused. */
const pause = day

/** Tells who controls a wallet that its ceiling has refused an order, once a day at most. */
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
 * Has refusals told that calls end with. What a call had done by then is undone, so this is a transaction of its own;
 * should it fail, the answer is still the refusal.
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
