import type { PlanMode } from '@gatehouse/contract/signup'
import type { Db } from '../platform/db/database.ts'
import type { Localised } from '../platform/db/schema.ts'
import { type PackageLine, packageCost, packageYearCost } from './prices/pricing.ts'

/** A subscription in a package. */
export interface PlanSku {
  readonly title: string
  readonly name: Localised
  readonly handler: string
  readonly qty: number
}

export interface PlanPackage {
  readonly id: string
  readonly title: string
  /** The package is for a domain, not a user. */
  readonly isDomain: boolean
  /** Cents per month. */
  readonly cost: number
  /** Cents per year. */
  readonly yearCost: number
  readonly qty: number
  readonly qtyMin: number
  readonly skus: readonly PlanSku[]
}

export interface Plan {
  readonly id: string
  readonly title: string
  readonly name: Localised
  readonly description: Localised
  readonly mode: PlanMode
  readonly months: number
  readonly freeMonths: number
  readonly hidden: boolean
  readonly packages: readonly PlanPackage[]
}

/** Returns the tenant's plans in its own order, then by months and by title descending. */
export async function readPlans(db: Db, tenantId: number): Promise<Plan[]> {
  const plans = await db
    .selectFrom('plans')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('position')
    .orderBy('months')
    .orderBy('title', 'desc')
    .execute()
  const links = await db
    .selectFrom('planPackages as pp')
    .innerJoin('plans as p', 'p.id', 'pp.planId')
    .innerJoin('packages as k', 'k.id', 'pp.packageId')
    .innerJoin('packageSkus as ps', 'ps.packageId', 'k.id')
    .innerJoin('skus as s', 's.id', 'ps.skuId')
    .select(['pp.planId', 'pp.qty as packageQty', 'pp.qtyMin', 'k.id', 'k.title', 'k.discountRate'])
    .select(['ps.qty', 'ps.cost', 's.cost as skuCost', 's.unitsFree', 's.period', 's.handler'])
    .select(['s.title as skuTitle', 's.name as skuName'])
    .where('p.tenantId', '=', tenantId)
    .execute()
  return plans.map((plan) => ({
    id: plan.id,
    title: plan.title,
    name: plan.name,
    description: plan.description,
    mode: plan.mode,
    months: plan.months,
    freeMonths: plan.freeMonths,
    hidden: plan.hidden,
    packages: byPackage(links.filter((link) => link.planId === plan.id)).map(toPackage),
  }))
}

export async function findPlan(db: Db, tenantId: number, title: string): Promise<Plan | undefined> {
  return (await readPlans(db, tenantId)).find((plan) => plan.title === title)
}

interface LinkRow extends PackageLine {
  id: string
  title: string
  packageQty: number
  qtyMin: number
  handler: string
  qty: number
  skuTitle: string
  skuName: Localised
}

function byPackage(rows: readonly LinkRow[]): LinkRow[][] {
  const packages = new Map<string, LinkRow[]>()
  for (const row of rows) packages.set(row.id, [...(packages.get(row.id) ?? []), row])
  return [...packages.values()]
}

function toPackage(rows: readonly LinkRow[]): PlanPackage {
  const [first] = rows
  if (first === undefined) throw new RangeError('a package without SKUs cannot be assigned')
  return {
    id: first.id,
    title: first.title,
    isDomain: rows.some((row) => row.handler === 'DomainHosting'),
    cost: packageCost(rows),
    yearCost: packageYearCost(rows),
    qty: first.packageQty,
    qtyMin: first.qtyMin,
    skus: rows.map((row) => ({
      title: row.skuTitle,
      name: row.skuName,
      handler: row.handler,
      qty: row.qty,
    })),
  }
}

/** Locks a plan against deletion until the transaction ends. Returns false if the plan no longer exists. */
export async function keepPlan(trx: Db, id: string): Promise<boolean> {
  const row = await trx.selectFrom('plans').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return row !== undefined
}
