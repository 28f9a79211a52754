import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { differences } from '../../users/user-snapshot.ts'
import { readThresholds, writeThresholds } from '../life-cycle/alert-store.ts'
import { readWalletSetting, writeWalletSetting } from './setting-store.ts'
import type { WalletRecord } from './wallet-store.ts'

/** Amounts in cents; absent values stay unchanged, null removes them. */
interface SettingsChange {
  readonly alerts?: readonly number[] | null | undefined
  readonly monthly_ceiling?: number | null | undefined
}

export async function readSettings(db: Db, walletId: string) {
  const ceiling = await readWalletSetting(db, walletId, 'monthly_ceiling')
  return {
    alerts: await readThresholds(db, walletId),
    monthly_ceiling: ceiling === undefined ? null : Number(ceiling),
  }
}

/** Changes the alert thresholds and the ceiling. */
export async function changeSettings(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  wallet: WalletRecord,
  { alerts, monthly_ceiling: ceiling }: SettingsChange,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, wallet.id)
    const before = await readSettings(trx, wallet.id)
    if (alerts !== undefined) await writeThresholds(trx, wallet.id, alerts ?? [], clock.now())
    if (ceiling !== undefined) {
      await writeWalletSetting(trx, wallet.id, 'monthly_ceiling', ceiling === null ? null : String(ceiling))
    }
    const data = differences({ ...before }, { ...(await readSettings(trx, wallet.id)) })
    if (data === undefined) return
    await audit(trx, clock, {
      tenantId: wallet.owned.tenantId,
      objectType: 'user',
      objectId: wallet.ownerId,
      event: 'wallet.settings-changed',
      actor,
      data: { ...data, currency: wallet.currency },
    })
  })
}
