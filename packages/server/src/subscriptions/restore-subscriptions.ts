import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import {
  countObjectUnits,
  countWalletUnits,
  type Entitled,
  holdWallet,
  insertUnits,
  type NewUnit,
  readDeletedUnits,
  type Unit,
} from './entitlement-store.ts'
import { type CatalogueSku, readSkusById } from './sku-store.ts'

/**
 * Gives an object back what was taken away from it when it was deleted; the units that it has then. Days until
 * the deletion are still charged, days since are not. Call it inside a transaction, before anything else is
 * given to the object.
 */
export async function restoreSubscriptions(
  trx: Db,
  clock: Clock,
  request: { readonly walletId: string; readonly object: Entitled; readonly deletedAt: Date },
): Promise<Unit[]> {
  const { object, walletId, deletedAt } = request
  await holdWallet(trx, walletId)
  const gone = await readDeletedUnits(trx, object.type, [{ id: object.id, deletedAt }])
  const skus = await readSkusById(trx, [...new Set(gone.map((unit) => unit.skuId))])
  const held =
    object.type === 'user' ? await countObjectUnits(trx, object) : await countWalletUnits(trx, walletId)
  return insertUnits(trx, clock.now(), object, walletId, unitsAgain(gone, skus, held))
}

/**
 * Units that come back, at the prices that they had. Free units are counted anew: those that others have used
 * up in the meantime cost the list price, and where there is room for more of them they cost nothing. Units keep
 * the day on which they were first given: deleting and restoring must not begin another time in which they can
 * be returned for free.
 */
export function unitsAgain(
  gone: readonly Unit[],
  skus: readonly CatalogueSku[],
  held: ReadonlyMap<string, number>,
): NewUnit[] {
  return skus.flatMap((sku) => {
    const units = gone.filter((unit) => unit.skuId === sku.id)
    const before = held.get(sku.id) ?? 0
    return units.map((unit, index) => {
      const { skuId, createdAt } = unit
      if (before + index < sku.unitsFree) return { skuId, createdAt, cost: 0, fee: 0 }
      const wasFree = sku.unitsFree > 0 && unit.cost === 0
      if (wasFree) return { skuId, createdAt, cost: sku.cost, fee: sku.fee }
      return { skuId, createdAt, cost: unit.cost, fee: unit.fee }
    })
  })
}
