import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import type { Catalogue } from './catalogue-file.ts'

/**
 * Writes a catalogue for a tenant. Rows with the same title are updated, none is removed; entitlements keep
 * the price at which they were created.
 */
export async function loadCatalogue(db: Db, tenantId: number, catalogue: Catalogue): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const skuIds = await upsertSkus(trx, tenantId, catalogue.skus)
    const packageIds = await upsertPackages(trx, tenantId, catalogue.packages, skuIds)
    await upsertPlans(trx, tenantId, catalogue.plans, packageIds)
  })
}

/** Whether the tenant has a catalogue. */
export async function hasCatalogue(db: Db, tenantId: number): Promise<boolean> {
  const row = await db.selectFrom('skus').select('id').where('tenantId', '=', tenantId).executeTakeFirst()
  return row !== undefined
}

type Ids = ReadonlyMap<string, string>

function idOf(ids: Ids, title: string): string {
  const id = ids.get(title)
  if (id === undefined) throw new RangeError(`${title} is not in the catalogue`)
  return id
}

async function upsertSkus(db: Db, tenantId: number, skus: Catalogue['skus']): Promise<Ids> {
  const ids = new Map<string, string>()
  for (const sku of skus) {
    const values = {
      name: JSON.stringify(sku.name),
      description: JSON.stringify(sku.description),
      cost: sku.cost,
      fee: sku.fee,
      unitsFree: sku.unitsFree,
      period: sku.period,
      handler: sku.handler,
      active: sku.active,
    }
    const row = await db
      .insertInto('skus')
      .values({ id: newUuid(), tenantId, title: sku.title, ...values })
      .onConflict((conflict) => conflict.columns(['tenantId', 'title']).doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(sku.title, row.id)
  }
  return ids
}

async function upsertPackages(
  db: Db,
  tenantId: number,
  packages: Catalogue['packages'],
  skuIds: Ids,
): Promise<Ids> {
  const ids = new Map<string, string>()
  for (const item of packages) {
    const values = {
      name: JSON.stringify(item.name),
      description: JSON.stringify(item.description),
      discountRate: item.discountRate,
    }
    const { id } = await db
      .insertInto('packages')
      .values({ id: newUuid(), tenantId, title: item.title, ...values })
      .onConflict((conflict) => conflict.columns(['tenantId', 'title']).doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('packageSkus').where('packageId', '=', id).execute()
    await db
      .insertInto('packageSkus')
      .values(
        Object.entries(item.skus).map(([title, qty]) => ({
          packageId: id,
          skuId: idOf(skuIds, title),
          qty,
          cost: null,
        })),
      )
      .execute()
    ids.set(item.title, id)
  }
  return ids
}

async function upsertPlans(
  db: Db,
  tenantId: number,
  plans: Catalogue['plans'],
  packageIds: Ids,
): Promise<void> {
  for (const plan of plans) {
    const values = {
      name: JSON.stringify(plan.name),
      description: JSON.stringify(plan.description),
      mode: plan.mode,
      months: plan.months,
      freeMonths: plan.freeMonths,
      hidden: plan.hidden,
    }
    const { id } = await db
      .insertInto('plans')
      .values({ id: newUuid(), tenantId, title: plan.title, ...values })
      .onConflict((conflict) => conflict.columns(['tenantId', 'title']).doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('planPackages').where('planId', '=', id).execute()
    await db
      .insertInto('planPackages')
      .values(
        plan.packages.map((title) => ({
          planId: id,
          packageId: idOf(packageIds, title),
          qty: 1,
          qtyMin: 0,
          qtyMax: 0,
        })),
      )
      .execute()
  }
}
