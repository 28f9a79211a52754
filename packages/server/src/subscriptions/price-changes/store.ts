import type { PriceChangeState } from '@gatehouse/contract/billing/price-changes'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Localised, Schema } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'
import { type CatalogueSku, readSkus } from '../sku-store.ts'
import { dayOf, type PriceStep } from './rules.ts'

/** A price change with the names of the objects it is about. */
export interface PriceChangeRow extends Selectable<Schema['priceChanges']> {
  readonly tenantTitle: string
  readonly skuTitle: string
  readonly skuName: Localised
  /** All replaced prices, the catalogue's first. */
  readonly steps: readonly PriceStep[]
}

const rows = sql`select c.*, t.title as tenant_title, k.title as sku_title, k.name as sku_name,
    (select json_agg(json_build_object('from', s.from_cost, 'to', s.cost) order by s.from_cost <> c.old_cost, s.from_cost)
      from price_change_steps s where s.change_id = c.id) as steps
  from price_changes c join tenants t on t.id = c.tenant_id join skus k on k.id = c.sku_id`

export async function readPriceChange(db: Db, id: string): Promise<PriceChangeRow | undefined> {
  const found = await sql<PriceChangeRow>`${rows} where c.id = ${id}::uuid`.execute(db)
  return found.rows[0]
}

/** The same, locked until the transaction ends: batches and cancellation of a change are serialized. */
export async function holdPriceChange(trx: Db, id: string): Promise<PriceChangeRow | undefined> {
  await sql`select from price_changes where id = ${id}::uuid for no key update`.execute(trx)
  return readPriceChange(trx, id)
}

/** Newest first. */
export async function listPriceChanges(
  db: Db,
  filter: { readonly tenantId?: number | undefined; readonly state?: PriceChangeState | null | undefined },
  part: { readonly limit: number; readonly offset: number },
): Promise<PriceChangeRow[]> {
  const tenant = filter.tenantId === undefined ? sql`true` : sql`c.tenant_id = ${filter.tenantId}`
  const state = filter.state == null ? sql`true` : sql`c.state = ${filter.state}`
  const found = await sql<PriceChangeRow>`${rows} where ${tenant} and ${state}
    order by c.created_at desc, c.id desc limit ${part.limit} offset ${part.offset}`.execute(db)
  return found.rows
}

export interface NewPriceChange {
  readonly tenantId: number
  readonly sku: CatalogueSku
  readonly cost: number
  readonly fee: number
  readonly months: number
  readonly currency: string
  readonly newSubscriptions: 'at-once' | 'same-date'
  readonly steps: readonly PriceStep[]
  readonly effectiveAt: Date
  readonly noticeDays: number
  readonly reason: Readonly<Record<string, string>>
  readonly by: { readonly userId?: number | undefined; readonly email?: string | undefined }
}

/** Stores a change and returns its id. Rejects if the SKU has an open one (`price_changes_open`). */
export async function insertPriceChange(trx: Db, now: Date, change: NewPriceChange): Promise<string> {
  const id = newUuid()
  await trx
    .insertInto('priceChanges')
    .values({
      id,
      tenantId: change.tenantId,
      skuId: change.sku.id,
      oldCost: change.sku.cost,
      cost: change.cost,
      oldFee: change.sku.fee,
      fee: change.fee,
      months: change.months,
      currency: change.currency,
      newSubscriptions: change.newSubscriptions,
      effectiveAt: change.effectiveAt,
      noticeDays: change.noticeDays,
      reason: JSON.stringify(change.reason),
      createdBy: change.by.userId ?? null,
      creatorEmail: change.by.email ?? null,
      createdAt: now,
    })
    .execute()
  await trx
    .insertInto('priceChangeSteps')
    .values(change.steps.map(({ from, to }) => ({ changeId: id, fromCost: from, cost: to })))
    .execute()
  return id
}

/** A tenant's SKU, locked until the transaction ends. */
export async function holdSku(trx: Db, tenantId: number, id: string): Promise<CatalogueSku | undefined> {
  await sql`select from skus where id = ${id}::uuid for no key update`.execute(trx)
  return (await readSkus(trx, tenantId)).find((sku) => sku.id === id)
}

/** Updates the catalogue with a change's new prices, unless they were changed since. */
export async function updateCatalogue(trx: Db, change: PriceChangeRow): Promise<void> {
  await trx
    .updateTable('skus')
    .set({ cost: change.cost, fee: change.fee })
    .where('id', '=', change.skuId)
    .where('cost', '=', change.oldCost)
    .where('fee', '=', change.oldFee)
    .execute()
}

/** Sets the state of a change. */
export async function setState(
  trx: Db,
  id: string,
  state: 'announced' | 'applied' | 'cancelled',
  now: Date,
  by: string | null = null,
): Promise<void> {
  const values = {
    announced: { announcedAt: now },
    applied: { appliedAt: now },
    cancelled: { cancelledAt: now, cancellerEmail: by },
  }
  await trx
    .updateTable('priceChanges')
    .set({ state, ...values[state] })
    .where('id', '=', id)
    .execute()
}

/** Records that everyone notified of a change was notified of its cancellation. */
export async function setCancelTold(trx: Db, id: string, now: Date): Promise<void> {
  await trx.updateTable('priceChanges').set({ cancelToldAt: now }).where('id', '=', id).execute()
}

/** Returns changes with pending work, oldest first. */
export async function changesWithWork(db: Db, now: Date): Promise<{ id: string; state: PriceChangeState }[]> {
  return db
    .selectFrom('priceChanges')
    .select(['id', 'state'])
    .where((eb) =>
      eb.or([
        eb('state', '=', 'scheduled'),
        eb('state', '=', 'announced').and('effectiveAt', '<=', now),
        eb('state', '=', 'cancelled').and('cancelToldAt', 'is', null),
      ]),
    )
    .orderBy('createdAt')
    .execute()
}

/** Returns a tenant's open changes by SKU. */
export async function openChanges(db: Db, tenantId: number): Promise<ReadonlyMap<string, string>> {
  const found = await db
    .selectFrom('priceChanges')
    .select(['id', 'skuId'])
    .where('tenantId', '=', tenantId)
    .where('state', 'in', ['scheduled', 'announced'])
    .execute()
  return new Map(found.map((row) => [row.skuId, row.id]))
}

/** The price of a unit after all announced changes. */
export const latestPrice = (unit: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((select u.cost from price_change_units u join price_changes p on p.id = u.change_id
    where u.entitlement_id = ${unit}.id and u.folded_at is null and p.state <> 'cancelled'
    order by u.since desc, u.change_id desc limit 1), ${unit}.cost)`

/** Returns announced prices of a tenant's SKUs that the catalogue doesn't have yet. */
export async function announcedPrices(
  db: Db,
  tenantId: number,
): Promise<ReadonlyMap<string, { readonly cost: number; readonly date: string }>> {
  const found = await db
    .selectFrom('priceChanges')
    .select(['skuId', 'cost', 'effectiveAt'])
    .where('tenantId', '=', tenantId)
    .where('state', 'in', ['scheduled', 'announced'])
    .where('newSubscriptions', '=', 'same-date')
    .execute()
  return new Map(found.map((row) => [row.skuId, { cost: row.cost, date: dayOf(row.effectiveAt) }]))
}
