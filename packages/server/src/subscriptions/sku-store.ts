import type { Selectable } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Localised, Schema } from '../platform/db/schema.ts'
import { type HandlerName, handlers, isHandlerName } from './handlers.ts'
import type { PackageLine } from './prices/pricing.ts'

/** A SKU of a tenant. */
export interface CatalogueSku {
  readonly id: string
  readonly tenantId: number
  readonly title: string
  readonly name: Localised
  readonly description: Localised
  /** Cents per unit and month; fee: what the tenant owes the platform for it. */
  readonly cost: number
  readonly fee: number
  readonly unitsFree: number
  readonly period: 'monthly' | 'yearly'
  readonly handler: HandlerName
  readonly active: boolean
}

/** Returns a tenant's SKUs, highest priority first, then by title. */
export async function readSkus(db: Db, tenantId: number): Promise<CatalogueSku[]> {
  return toSkus(await db.selectFrom('skus').selectAll().where('tenantId', '=', tenantId).execute())
}

/** Returns SKUs by id, regardless of tenant. */
export async function readSkusById(db: Db, ids: readonly string[]): Promise<CatalogueSku[]> {
  if (ids.length === 0) return []
  return toSkus(await db.selectFrom('skus').selectAll().where('id', 'in', ids).execute())
}

function toSkus(rows: readonly Selectable<Schema['skus']>[]): CatalogueSku[] {
  return rows
    .flatMap(({ handler, ...row }) => (isHandlerName(handler) ? [{ ...row, handler }] : []))
    .map((row) => ({
      id: row.id,
      tenantId: row.tenantId,
      title: row.title,
      name: row.name,
      description: row.description,
      cost: row.cost,
      fee: row.fee,
      unitsFree: row.unitsFree,
      period: row.period,
      handler: row.handler,
      active: row.active,
    }))
    .sort((one, other) => handlers[other.handler].prio - handlers[one.handler].prio || byTitle(one, other))
}

function byTitle(one: { readonly title: string }, other: { readonly title: string }): number {
  return one.title < other.title ? -1 : 1
}

export interface CataloguePackage {
  readonly id: string
  readonly title: string
  readonly name: Localised
  readonly description: Localised
  readonly lines: readonly (PackageLine & { readonly handler: string; readonly active: boolean })[]
}

export interface CataloguePackageLine extends PackageLine {
  readonly skuId: string
  readonly title: string
  readonly fee: number
  readonly active: boolean
}

/** Returns the contents of a package. */
export async function readPackageLines(db: Db, packageId: string): Promise<CataloguePackageLine[]> {
  return db
    .selectFrom('packageSkus as l')
    .innerJoin('skus as k', 'k.id', 'l.skuId')
    .innerJoin('packages as p', 'p.id', 'l.packageId')
    .select([
      'l.qty',
      'l.cost',
      'k.id as skuId',
      'k.title',
      'k.cost as skuCost',
      'k.fee',
      'k.unitsFree',
      'k.period',
    ])
    .select(['k.active', 'p.discountRate'])
    .where('l.packageId', '=', packageId)
    .execute()
}

/** Returns a tenant's packages by title; `id` limits them to that one. */
export async function readPackages(db: Db, tenantId: number, id?: string): Promise<CataloguePackage[]> {
  let query = db
    .selectFrom('packages as p')
    .innerJoin('packageSkus as l', 'l.packageId', 'p.id')
    .innerJoin('skus as k', 'k.id', 'l.skuId')
    .select(['p.id', 'p.title', 'p.name', 'p.description', 'p.discountRate'])
    .select(['l.qty', 'l.cost', 'k.cost as skuCost', 'k.unitsFree', 'k.period', 'k.handler', 'k.active'])
    .where('p.tenantId', '=', tenantId)
  if (id !== undefined) query = query.where('p.id', '=', id)
  const packages = new Map<string, CataloguePackage>()
  for (const { id: packageId, title, name, description, ...line } of await query.execute()) {
    const lines = [...(packages.get(packageId)?.lines ?? []), line]
    packages.set(packageId, { id: packageId, title, name, description, lines })
  }
  return [...packages.values()].sort(byTitle)
}
