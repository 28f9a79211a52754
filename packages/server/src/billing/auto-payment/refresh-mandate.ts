import { minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import type { ProviderMandate } from '../payments/providers/provider.ts'
import { disableMandate } from './change-mandate.ts'
import { type LivingMandate, livingMandate, readMandate, updateMandate } from './mandate-store.ts'
import type { AutoPaymentParts } from './parts.ts'

/** Seconds for which a mandate's cached status is considered fresh. */
export const freshness = 10 * minute

export function isStale(mandate: Pick<LivingMandate, 'readAt'>, now: Date): boolean {
  return (now.getTime() - mandate.readAt.getTime()) / 1000 >= freshness
}

/**
 * Refreshes the status of a wallet's mandate from the provider. An invalid one is stopped and its owner
 * notified once. Throws ProviderUnavailable.
 */
export async function refreshMandate(parts: AutoPaymentParts, walletId: string): Promise<void> {
  const living = livingMandate(await readMandate(parts.db, walletId))
  if (living === undefined) return
  const provider = parts.providers.named(living.provider)
  if (provider === undefined) {
    parts.log.warn({ wallet: walletId, provider: living.provider }, 'mandate not refreshed: unknown provider')
    return
  }
  const said = await provider.readMandate(living.providerId, living.customerId)
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const current = livingMandate(await readMandate(trx, walletId))
    // another mandate may have replaced this one during the call
    if (current?.providerId === living.providerId) await writeState(trx, parts, walletId, said)
  })
}

async function writeState(
  trx: Db,
  parts: AutoPaymentParts,
  walletId: string,
  said: ProviderMandate | undefined,
): Promise<void> {
  const now = parts.clock.now()
  await updateMandate(trx, walletId, {
    status: said?.status ?? 'invalid',
    readAt: now,
    ...(said !== undefined && said.status !== 'invalid' && { method: said.method, method_id: said.methodId }),
  })
  if (said === undefined) await disableMandate(trx, parts, walletId, 'revoked')
  else if (said.status === 'invalid') await disableMandate(trx, parts, walletId, 'invalid')
}
