import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isHandlerName } from '../../subscriptions/handlers.ts'
import type { Catalogue, Package, Product, SalesPlan } from './catalogue.ts'

/** Returns a tenant's complete catalogue; plans in display order. */
export async function readCatalogue(db: Db, tenantId: number): Promise<Catalogue> {
  const [products, packages, plans] = [
    await readProducts(db, tenantId),
    await readPackages(db, tenantId),
    await readSalesPlans(db, tenantId),
  ]
  return { products, packages, plans }
}

async function readProducts(db: Db, tenantId: number): Promise<Product[]> {
  const rows = await db
    .selectFrom('skus')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('title')
    .execute()
  return rows.flatMap((row) => {
    const { id, title, name, description, cost, fee, unitsFree, period, handler } = row
    const { active, revision } = row
    if (!isHandlerName(handler)) return []
    return [{ id, title, name, description, cost, fee, unitsFree, period, handler, active, revision }]
  })
}

async function readPackages(db: Db, tenantId: number): Promise<Package[]> {
  const rows = await db
    .selectFrom('packages')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('title')
    .execute()
  const items = await db
    .selectFrom('packageSkus as l')
    .innerJoin('packages as p', 'p.id', 'l.packageId')
    .select(['l.packageId', 'l.skuId', 'l.qty', 'l.cost'])
    .where('p.tenantId', '=', tenantId)
    .execute()
  return rows.map(({ id, title, name, description, discountRate, revision }) => ({
    ...{ id, title, name, description, discountRate, revision },
    items: items
      .filter((item) => item.packageId === id)
      .map(({ skuId, qty, cost }) => ({ skuId, qty, cost })),
  }))
}

async function readSalesPlans(db: Db, tenantId: number): Promise<SalesPlan[]> {
  const rows = await db
    .selectFrom('plans')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('position')
    .orderBy('months')
    .orderBy('title', 'desc')
    .execute()
  const links = await db
    .selectFrom('planPackages as l')
    .innerJoin('plans as p', 'p.id', 'l.planId')
    .innerJoin('packages as k', 'k.id', 'l.packageId')
    .select(['l.planId', 'l.packageId'])
    .where('p.tenantId', '=', tenantId)
    .orderBy('k.title')
    .execute()
  return rows.map(({ id, title, name, description, mode, months, freeMonths, hidden, revision }) => ({
    ...{ id, title, name, description, mode, months, freeMonths, hidden, revision },
    packageIds: links.filter((link) => link.planId === id).map((link) => link.packageId),
  }))
}

export async function writeProduct(trx: Db, { id, name, description, cost, active }: Product): Promise<void> {
  await trx
    .updateTable('skus')
    .set({ name: JSON.stringify(name), description: JSON.stringify(description), cost, active })
    .where('id', '=', id)
    .execute()
}

/** Upserts a package with its contents. */
export async function writePackage(trx: Db, tenantId: number, item: Package): Promise<void> {
  const { id, title, discountRate } = item
  const values = {
    name: JSON.stringify(item.name),
    description: JSON.stringify(item.description),
    discountRate,
  }
  await trx
    .insertInto('packages')
    .values({ id, tenantId, title, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  await trx.deleteFrom('packageSkus').where('packageId', '=', id).execute()
  await trx
    .insertInto('packageSkus')
    .values(item.items.map(({ skuId, qty, cost }) => ({ packageId: id, skuId, qty, cost })))
    .execute()
}

export async function deletePackage(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('packages').where('id', '=', id).execute()
}

/** Upserts a plan with its packages. A new plan comes last. */
export async function writePlan(trx: Db, tenantId: number, plan: SalesPlan): Promise<void> {
  const { id, title, mode, months, freeMonths, hidden } = plan
  const values = {
    ...{ mode, months, freeMonths, hidden },
    name: JSON.stringify(plan.name),
    description: JSON.stringify(plan.description),
  }
  await trx
    .insertInto('plans')
    .values({
      ...{ id, tenantId, title, ...values },
      position: sql<number>`(select coalesce(max(position), 0) from plans where tenant_id = ${tenantId})`,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  const { packageIds } = plan
  await trx
    .deleteFrom('planPackages')
    .where('planId', '=', id)
    .where('packageId', 'not in', packageIds)
    .execute()
  await trx
    .insertInto('planPackages')
    .values(packageIds.map((packageId) => ({ planId: id, packageId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores the order of a tenant's plans. */
export async function writeOrder(trx: Db, tenantId: number, planIds: readonly string[]): Promise<void> {
  await sql`update plans p set position = o.place from unnest(${planIds}::uuid[]) with ordinality o (id, place)
    where p.id = o.id and p.tenant_id = ${tenantId}`.execute(trx)
}

/** Locks a plan, waiting for pending sign-ups with it. */
export async function holdPlan(trx: Db, id: string): Promise<void> {
  await trx.selectFrom('plans').select('id').where('id', '=', id).forUpdate().execute()
}

/** Whether any account signed up with a plan, including deleted ones. */
export async function isPlanInUse(db: Db, planId: string): Promise<boolean> {
  const row = await db
    .selectFrom('userSettings')
    .select('userId')
    .where('key', '=', 'plan_id')
    .where('value', '=', planId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a plan with its tokens and started sign-ups. */
export async function deletePlan(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('signupTokens').where('planId', '=', id).execute()
  await trx.deleteFrom('signupCodes').where('planId', '=', id).execute()
  await trx.deleteFrom('plans').where('id', '=', id).execute()
}
