import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import {
  countObjectUnits,
  countWalletUnits,
  type Entitled,
  holdWallet,
  insertUnits,
  type NewUnit,
  type ObjectType,
  readDeletedUnits,
  type Unit,
} from './entitlement-store.ts'
import { monthlyCost, monthsOf } from './prices/pricing.ts'
import { type CatalogueSku, readSkusById } from './sku-store.ts'

/**
 * Restores what was removed from an object when it was deleted; returns its units. Days until the deletion are
 * still charged, days since aren't. Call it inside a transaction, before adding anything else to the object.
 * Throws ValidationError at `skus` for SKUs no longer on sale.
 */
export async function restoreSubscriptions(
  trx: Db,
  clock: Clock,
  request: {
    readonly walletId: string
    readonly object: Entitled
    readonly deletedAt: Date
    /** If false, SKUs no longer on sale are restored as well. */
    readonly mustBeOnSale: boolean
  },
): Promise<Unit[]> {
  const { object, walletId, deletedAt } = request
  await holdWallet(trx, walletId)
  const gone = await readDeletedUnits(trx, object.type, [{ id: object.id, deletedAt }])
  const skus = await readSkusById(trx, [...new Set(gone.map((unit) => unit.skuId))])
  if (request.mustBeOnSale && skus.some((sku) => !sku.active)) throw notOnSale()
  const held =
    object.type === 'user' ? await countObjectUnits(trx, object) : await countWalletUnits(trx, walletId)
  const back = unitsAgain(
    gone.map((unit) => atPriceOf(clock.now(), unit)),
    skus,
    held,
  )
  return insertUnits(trx, clock.now(), object, walletId, back)
}

function notOnSale(): ValidationError {
  return ValidationError.at('skus', 'subscriptions.not-on-sale')
}

/** Returns which deleted objects can't be restored because a SKU is no longer on sale, and why. */
export async function problemsOfReturn(
  db: Db,
  type: ObjectType,
  objects: readonly { readonly id: number; readonly deletedAt: Date }[],
): Promise<ReadonlyMap<number, ValidationError>> {
  const gone = await readDeletedUnits(db, type, objects)
  const skus = await readSkusById(db, [...new Set(gone.map((unit) => unit.skuId))])
  const inactive = new Set(skus.filter((sku) => !sku.active).map((sku) => sku.id))
  const missing = gone.filter((unit) => inactive.has(unit.skuId))
  return new Map(missing.map((unit) => [unit.objectId, notOnSale()]))
}

/** A unit to create, with the period of its price. */
export type PricedUnit = NewUnit & { readonly months: number }

/**
 * Returns the cents per month of what each deleted object would get back if all were restored in this order,
 * by id.
 */
export async function pricesOfReturn(
  db: Db,
  type: ObjectType,
  objects: readonly { readonly id: number; readonly walletId: string; readonly deletedAt: Date }[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const gone = await readDeletedUnits(db, type, objects)
  const skus = await readSkusById(db, [...new Set(gone.map((unit) => unit.skuId))])
  const units = new Map<number, Unit[]>()
  for (const unit of gone) units.set(unit.objectId, [...(units.get(unit.objectId) ?? []), unit])
  const held = new Map<string, Map<string, number>>()
  const found = new Map<number, readonly number[]>()
  for (const { id, walletId } of objects) {
    // free units are per user, and a deleted user has none
    const counts =
      type === 'user'
        ? new Map<string, number>()
        : (held.get(walletId) ?? new Map(await countWalletUnits(db, walletId)))
    held.set(walletId, counts)
    const back = unitsAgain(units.get(id) ?? [], skus, counts)
    for (const { skuId } of back) counts.set(skuId, (counts.get(skuId) ?? 0) + 1)
    found.set(id, back.map(monthlyCost))
  }
  return found
}

/** Returns a unit at the price of a period that begins at a moment. */
export function atPriceOf(moment: Date, unit: Unit): Unit {
  const price = unit.coming?.findLast(({ since }) => since <= moment)
  return price === undefined ? unit : { ...unit, cost: price.cost, fee: price.fee }
}

/**
 * Returns units to restore at their previous prices. Free units are counted again: those taken by others
 * meanwhile cost the list price, and newly available ones are free. Units keep their original creation date:
 * deleting and restoring must not start another free return period.
 */
export function unitsAgain(
  gone: readonly Unit[],
  skus: readonly CatalogueSku[],
  held: ReadonlyMap<string, number>,
): PricedUnit[] {
  return skus.flatMap((sku) => {
    const units = gone.filter((unit) => unit.skuId === sku.id)
    const before = held.get(sku.id) ?? 0
    return units.map((unit, index) => {
      const { skuId, createdAt, months } = unit
      if (before + index < sku.unitsFree) return { skuId, createdAt, months, cost: 0, fee: 0 }
      const wasFree = sku.unitsFree > 0 && unit.cost === 0
      if (wasFree) return { skuId, createdAt, months: monthsOf(sku), cost: sku.cost, fee: sku.fee }
      return { skuId, createdAt, months, cost: unit.cost, fee: unit.fee }
    })
  })
}
