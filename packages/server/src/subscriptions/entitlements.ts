import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { EntitlementTable } from '../platform/db/schema.ts'
import { newUuid } from '../platform/ids.ts'

export interface Entitled {
  readonly type: EntitlementTable['object_type']
  readonly id: number
}

/** The SKU is not on sale. The request fails: an object without owner and price must not come to be. */
export class SkuInactive extends Error {
  override name = 'SkuInactive'
}

/** Price of one unit in a package: its own, else the SKU's less the package's discount, in whole cents. */
export function packageUnitCost(
  link: { readonly cost: number | null },
  sku: { readonly cost: number },
  discountRate: number,
): number {
  return link.cost ?? Math.round((sku.cost * (100 - discountRate)) / 100)
}

/**
 * Gives an object everything in a package, one entitlement for each unit. The first `units_free` units of a
 * SKU cost nothing: counted on the object for users, in the wallet for everything else.
 * Call it inside a transaction that holds the wallet.
 */
export async function assignPackage(
  db: Db,
  clock: Clock,
  packageId: string,
  object: Entitled,
  walletId: string,
): Promise<void> {
  const links = await db
    .selectFrom('package_skus as l')
    .innerJoin('skus as k', 'k.id', 'l.sku_id')
    .innerJoin('packages as p', 'p.id', 'l.package_id')
    .select([
      'l.qty',
      'l.cost',
      'k.id as sku_id',
      'k.title',
      'k.cost as sku_cost',
      'k.fee',
      'k.units_free',
      'k.active',
    ])
    .select('p.discount_rate')
    .where('l.package_id', '=', packageId)
    .execute()
  const now = clock.now()
  for (const link of links) {
    if (!link.active) throw new SkuInactive(link.title)
    const held = await unitsHeld(db, link.sku_id, object, walletId)
    const unitCost = packageUnitCost(link, { cost: link.sku_cost }, link.discount_rate)
    const rows = Array.from({ length: link.qty }, (_, index) => {
      const isFree = held + index < link.units_free
      return {
        id: newUuid(),
        wallet_id: walletId,
        sku_id: link.sku_id,
        object_type: object.type,
        object_id: object.id,
        cost: isFree ? 0 : unitCost,
        fee: isFree ? 0 : link.fee,
        description: null,
        created_at: now,
        billed_until: now,
        deleted_at: null,
      }
    })
    await db.insertInto('entitlements').values(rows).execute()
  }
}

async function unitsHeld(db: Db, skuId: string, object: Entitled, walletId: string): Promise<number> {
  let query = db
    .selectFrom('entitlements')
    .select((eb) => eb.fn.countAll<number>().as('units'))
    .where('sku_id', '=', skuId)
    .where('deleted_at', 'is', null)
  query =
    object.type === 'user'
      ? query.where('object_type', '=', 'user').where('object_id', '=', object.id)
      : query.where('wallet_id', '=', walletId)
  return (await query.executeTakeFirstOrThrow()).units
}
