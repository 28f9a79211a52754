import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import {
  countObjectUnits,
  countWalletUnits,
  type Entitled,
  insertUnits,
  type NewUnit,
} from './entitlement-store.ts'
import { SkuInactive } from './entitlements.ts'
import { unitCosts } from './pricing.ts'
import { readSkusById } from './sku-store.ts'

/**
 * Gives a restored object what it lost when it was deleted, at today's prices and free units; the time between is
 * not billed, and what had run up before stays due. Call it inside a transaction that holds the wallet
 * (`holdWallet`). Throws SkuInactive for what is not on sale any more.
 */
export async function returnSubscriptions(
  trx: Db,
  clock: Clock,
  request: { readonly walletId: string; readonly object: Entitled; readonly deletedAt: Date },
): Promise<void> {
  const { object, walletId, deletedAt } = request
  const { rows } = await sql<{ sku_id: string; units: number }>`select sku_id, count(*)::int as units
    from entitlements where object_type = ${object.type} and object_id = ${object.id}
      and wallet_id = ${walletId} and deleted_at >= ${deletedAt} group by sku_id`.execute(trx)
  const skus = new Map(
    (
      await readSkusById(
        trx,
        rows.map((row) => row.sku_id),
      )
    ).map((sku) => [sku.id, sku]),
  )
  const held =
    object.type === 'user' ? await countObjectUnits(trx, object) : await countWalletUnits(trx, walletId)
  const given = rows.flatMap<NewUnit>(({ sku_id: skuId, units }) => {
    const sku = skus.get(skuId)
    if (sku === undefined || !sku.active) throw new SkuInactive(skuId)
    const before = held.get(skuId) ?? 0
    const fees = unitCosts(before, units, sku.unitsFree, sku.fee)
    return unitCosts(before, units, sku.unitsFree, sku.cost).map((cost, index) => ({
      skuId,
      cost,
      fee: fees[index] ?? 0,
    }))
  })
  await insertUnits(trx, clock.now(), object, walletId, given)
}
