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
 * Gives an object back what was taken away from it when it was deleted; the units that it has then. Days until
 * the deletion are still charged, days since are not. Call it inside a transaction, before anything else is
 * given to the object. Throws ValidationError at `skus` for what is not on sale any more.
 */
export async function restoreSubscriptions(
  trx: Db,
  clock: Clock,
  request: {
    readonly walletId: string
    readonly object: Entitled
    readonly deletedAt: Date
    /** False: what is not on sale any more comes back as well. */
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

/** Which of some deleted objects cannot come back because something of theirs is not on sale any more, and why. */
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

/** A unit that is to be, with the period that its price is for. */
export type PricedUnit = NewUnit & { readonly months: number }

/**
 * Cents a month of what comes back to each of some deleted objects, if all of them come back in this order; by
 * their numbers.
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
    // free units are each user's own, and one who is deleted has none
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

/** A unit at the price that a period costs which begins at a moment. */
export function atPriceOf(moment: Date, unit: Unit): Unit {
  const price = unit.coming?.findLast(({ since }) => since <= moment)
  return price === undefined ? unit : { ...unit, cost: price.cost, fee: price.fee }
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
