import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import {
  countObjectUnits,
  countWalletUnits,
  type Entitled,
  insertUnits,
  type NewUnit,
} from './entitlement-store.ts'
import { handlers, skuTypeOf } from './handlers.ts'
import { monthsOf, nextCost, packageUnitCost, unitCosts } from './prices/pricing.ts'
import { type CataloguePackageLine, readPackageLines, readSkus } from './sku-store.ts'

/** The SKU is not on sale. Fails the request: no object may be created without its entitlement and price. */
export class SkuInactive extends Error {
  override name = 'SkuInactive'
}

/** A unit in a package, with the period of its price. */
export type PackageUnit = NewUnit & { readonly months: number }

/** Returns a package's units for an object that already has some of each SKU, free ones first. */
export function packageUnits(
  lines: readonly CataloguePackageLine[],
  held: ReadonlyMap<string, number>,
): PackageUnit[] {
  return lines.flatMap((line) => {
    const unit = packageUnitCost(line, { cost: line.skuCost }, line.discountRate)
    const before = held.get(line.skuId) ?? 0
    const fees = unitCosts(before, line.qty, line.unitsFree, line.fee)
    return unitCosts(before, line.qty, line.unitsFree, unit).map((cost, index) => ({
      skuId: line.skuId,
      cost,
      fee: fees[index] ?? 0,
      months: monthsOf(line),
    }))
  })
}

/**
 * Gives an object everything in a package, one entitlement per unit. The first `units_free` units of a SKU are
 * free: counted per object for users, per wallet for everything else. Call it inside a transaction that locks
 * the wallet (`holdWallet`).
 */
export async function assignPackage(
  db: Db,
  clock: Clock,
  packageId: string,
  object: Entitled,
  walletId: string,
): Promise<void> {
  const lines = await readPackageLines(db, packageId)
  const inactive = lines.find((line) => !line.active)
  if (inactive !== undefined) throw new SkuInactive(inactive.title)
  const held =
    object.type === 'user' ? await countObjectUnits(db, object) : await countWalletUnits(db, walletId)
  const units = packageUnits(lines, held)
  await insertUnits(db, clock.now(), object, walletId, units)
}

/**
 * Gives an object the single SKU of its kind, at the current price: free as long as the wallet has fewer units
 * than are free. Call it inside a transaction that locks the wallet (`holdWallet`). Throws ValidationError at
 * `skus` if it isn't on sale.
 */
export async function assignOwnSku(
  db: Db,
  clock: Clock,
  object: Entitled & { readonly tenantId: number },
  walletId: string,
): Promise<void> {
  const sku = (await readSkus(db, object.tenantId)).find((one) => one.title === object.type)
  if (sku === undefined || !sku.active || handlers[sku.handler].type !== skuTypeOf(object.type)) {
    throw ValidationError.at('skus', 'subscriptions.not-on-sale')
  }
  const held = (await countWalletUnits(db, walletId)).get(sku.id) ?? 0
  const [fee = 0] = unitCosts(held, 1, sku.unitsFree, sku.fee)
  const units = [{ skuId: sku.id, months: monthsOf(sku), cost: nextCost(sku, held), fee }]
  await insertUnits(db, clock.now(), object, walletId, units)
}
