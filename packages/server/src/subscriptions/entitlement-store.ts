import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'
import { NotFound } from '../platform/http/errors.ts'
import { newUuid } from '../platform/ids.ts'
import { comingPrices, enrolNewUnits } from './price-changes/unit-store.ts'
import { type ComingPrice, returnAgain } from './prices/period-cost.ts'

export type ObjectType = Schema['entitlements']['objectType']

/** An object with entitlements. */
export interface Entitled {
  readonly type: ObjectType
  readonly id: number
}

/** One entitlement: one unit of a SKU. */
export interface Unit {
  readonly id: string
  readonly skuId: string
  readonly objectType: ObjectType
  readonly objectId: number
  /** Cents for `months`, for the period that begins at `billedUntil`. */
  readonly cost: number
  readonly fee: number
  /** Prices of later periods; absent if none is announced. */
  readonly coming?: readonly ComingPrice[]
  /** 1, or 12 if paid yearly. */
  readonly months: number
  readonly createdAt: Date
  /** Everything before this moment is charged. */
  readonly billedUntil: Date
  readonly countedFrom: Date | null
}

/**
 * Locks the wallet and everything billed to it until the transaction ends. Call it before reading anything
 * that a change depends on. Changes to a wallet show in the views of its owner and controllers, so their rows
 * are locked as well, in a fixed order: otherwise two people changing each other's accounts concurrently could
 * deadlock.
 */
export async function holdWallet(trx: Db, walletId: string): Promise<void> {
  await trx
    .selectFrom('wallets')
    .select('id')
    .where('id', '=', walletId)
    // references to the wallet stay unlocked: changing its users only checks them at the end of the transaction
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new NotFound())
  await sql`select id from users where id in (
      select user_id from wallets where id = ${walletId}
      union select user_id from wallet_controllers where wallet_id = ${walletId})
    order by id for no key update`.execute(trx)
}

/** Whether a user is deleted; false for one not written yet. */
export async function isDeletedUser(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the units of objects, cheapest first, then oldest. */
export async function readUnits(db: Db, type: ObjectType, ids: readonly number[]): Promise<Unit[]> {
  if (ids.length === 0) return []
  const rows = await units(db).where('objectType', '=', type).where('objectId', 'in', ids).execute()
  return rows.map(toUnit)
}

/** Returns units removed when or after their objects were deleted, cheapest first, then oldest. */
export async function readDeletedUnits(
  db: Db,
  type: ObjectType,
  objects: readonly { readonly id: number; readonly deletedAt: Date }[],
): Promise<Unit[]> {
  if (objects.length === 0) return []
  const deleted = new Map(objects.map(({ id, deletedAt }) => [id, deletedAt]))
  const rows = await db
    .selectFrom('entitlements')
    .select([...unitColumns, comingPrices, 'deletedAt'])
    .where('objectType', '=', type)
    .where('objectId', 'in', [...deleted.keys()])
    .where('deletedAt', 'is not', null)
    .orderBy('cost')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows
    .filter(({ objectId: id, deletedAt: at }) => {
      const since = deleted.get(id)
      return since !== undefined && at !== null && at >= since
    })
    .map(toUnit)
}

/** Returns everything billed to a wallet, cheapest first, then oldest. */
export async function readWalletUnits(db: Db, walletId: string): Promise<Unit[]> {
  const rows = await units(db).where('walletId', '=', walletId).execute()
  return rows.map(toUnit)
}

const unitColumns = [
  'id',
  'skuId',
  'objectType',
  'objectId',
  'cost',
  'fee',
  'months',
  'createdAt',
  'billedUntil',
  'countedFrom',
] as const

function units(db: Db) {
  return db
    .selectFrom('entitlements')
    .select([...unitColumns, comingPrices])
    .where('deletedAt', 'is', null)
    .orderBy('cost')
    .orderBy('createdAt')
    .orderBy('id')
}

function toUnit(row: Awaited<ReturnType<ReturnType<typeof units>['execute']>>[number]): Unit {
  return {
    id: row.id,
    skuId: row.skuId,
    objectType: row.objectType,
    objectId: row.objectId,
    cost: row.cost,
    fee: row.fee,
    months: row.months,
    createdAt: row.createdAt,
    billedUntil: row.billedUntil,
    countedFrom: row.countedFrom,
    ...(row.coming && { coming: row.coming.map((price) => ({ ...price, since: new Date(price.since) })) }),
  }
}

/** Counts a wallet's units by price; cents for the given months. */
export async function countPrices(
  db: Db,
  walletId: string,
): Promise<readonly { readonly cost: number; readonly months: number; readonly count: number }[]> {
  return db
    .selectFrom('entitlements')
    .select((eb) => ['cost', 'months', eb.fn.countAll<number>().as('count')])
    .where('walletId', '=', walletId)
    .where('deletedAt', 'is', null)
    .groupBy(['cost', 'months'])
    .execute()
}

/** Returns a wallet's discounted monthly cost in cents, with its limit; undefined if it has no limit. */
export async function costBesideCeiling(
  db: Db,
  walletId: string,
): Promise<{ readonly currency: string; readonly ceiling: string; readonly monthly: number } | undefined> {
  const { rows } = await sql<{
    currency: string
    ceiling: string
    monthly: number
  }>`select w.currency, s.value as ceiling, (
      select coalesce(sum((e.cost / e.months)::bigint * (100 - coalesce(d.discount, 0)) / 100), 0)::bigint
      from entitlements e where e.wallet_id = w.id and e.deleted_at is null) as monthly
    from wallet_settings s join wallets w on w.id = s.wallet_id left join discounts d on d.id = w.discount_id
    where s.wallet_id = ${walletId} and s.key = 'monthly_ceiling'`.execute(db)
  return rows[0]
}

/** Counts a wallet's units by SKU. */
export async function countWalletUnits(db: Db, walletId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await counts(db).where('walletId', '=', walletId).execute()
  return new Map(rows.map((row) => [row.skuId, row.count]))
}

/** Counts an object's units by SKU. */
export async function countObjectUnits(db: Db, object: Entitled): Promise<ReadonlyMap<string, number>> {
  const rows = await counts(db)
    .where('objectType', '=', object.type)
    .where('objectId', '=', object.id)
    .execute()
  return new Map(rows.map((row) => [row.skuId, row.count]))
}

function counts(db: Db) {
  return db
    .selectFrom('entitlements')
    .select((eb) => ['skuId', eb.fn.countAll<number>().as('count')])
    .where('deletedAt', 'is', null)
    .groupBy('skuId')
}

export interface NewUnit extends Pick<Unit, 'skuId' | 'cost' | 'fee'> {
  /** When the object first got it; absent: now. */
  readonly createdAt?: Date
  /** Period of the price in months; absent: the SKU's current period. */
  readonly months?: number
}

/** Adds units to an object; they are billed from now on. */
export async function insertUnits(
  trx: Db,
  now: Date,
  object: Entitled,
  walletId: string,
  given: readonly NewUnit[],
): Promise<Unit[]> {
  if (given.length === 0) return []
  const yearly = await yearlySkus(trx)
  const rows = given.map(({ skuId, cost, fee, createdAt, months }) => ({
    id: newUuid(),
    walletId,
    skuId,
    objectType: object.type,
    objectId: object.id,
    cost,
    fee,
    months: months ?? (yearly.has(skuId) ? 12 : 1),
    description: null,
    createdAt: createdAt ?? now,
    billedUntil: now,
    // restored units are billed from now on
    countedFrom: createdAt === undefined ? null : now,
    deletedAt: null,
  }))
  await trx.insertInto('entitlements').values(rows).execute()
  await enrolNewUnits(
    trx,
    now,
    rows.map((row) => row.id),
  )
  return rows.map((row) => toUnit({ ...row, coming: null }))
}

/** SKUs paid yearly. */
async function yearlySkus(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('skus').select('id').where('period', '=', 'yearly').execute()
  return new Set(rows.map((row) => row.id))
}

/**
 * Returns the units that can't be returned for free, because the wallet returned another one of the SKU
 * shortly before they were created; see `returnAgain`.
 */
export async function usedReturns(db: Db, unitIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (unitIds.length === 0) return new Set()
  const { rows } = await sql<{
    id: string
  }>`select e.id from entitlements e where e.id = any(${unitIds}::uuid[])
    and exists (select from entitlements r where r.wallet_id = e.wallet_id and r.sku_id = e.sku_id and r.id <> e.id
      and r.deleted_at is not null and r.deleted_at <= e.created_at
      and r.deleted_at > e.created_at - make_interval(days => ${returnAgain}::int)
      and r.deleted_at - r.created_at < interval '14 days')`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Removes units. `billed_until` is kept: what they accrued since then is still to be charged. */
export async function deleteUnits(trx: Db, now: Date, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('entitlements').set({ deletedAt: now }).where('id', 'in', ids).execute()
}

/** The account an object is billed to, with what else its price depends on. */
export interface BilledAccount {
  readonly walletId: string
  /** Tenant of the object's SKUs. */
  readonly tenantId: number
  readonly ownerId: number
  readonly ownerTenantId: number
  /** Status bits of the owner. */
  readonly ownerStatus: number
  readonly controllerIds: readonly number[]
  /** Percent. */
  readonly discount: number
  /** When the object lost all its units; null if it has some. */
  readonly deletedAt: Date | null
}

/** Returns who pays for an object, or paid until it was deleted; undefined if no one ever did. */
export async function readBilledAccount(db: Db, object: Entitled): Promise<BilledAccount | undefined> {
  const { rows } = await sql<BilledAccount>`select e.wallet_id as "walletId", k.tenant_id as "tenantId",
      o.id as "ownerId", o.tenant_id as "ownerTenantId", o.status as "ownerStatus", e.deleted_at as "deletedAt",
      array(select user_id from wallet_controllers where wallet_id = w.id order by 1) as "controllerIds",
      coalesce(d.discount, 0) as discount
    from entitlements e join skus k on k.id = e.sku_id join wallets w on w.id = e.wallet_id
      join users o on o.id = w.user_id left join discounts d on d.id = w.discount_id
    where e.object_type = ${object.type} and e.object_id = ${object.id}
    order by e.deleted_at desc nulls first limit 1`.execute(db)
  return rows[0]
}
