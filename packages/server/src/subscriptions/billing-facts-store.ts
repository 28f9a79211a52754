import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../platform/db/database.ts'
import { addMonths } from '../platform/months.ts'

/** What the price of everything in a wallet depends on. */
export interface BillingFacts {
  readonly ownerId: number
  readonly currency: string
  /** Percent. */
  readonly discount: number
  readonly isDegraded: boolean
  /** The owner's plan makes SKUs free until `end`; null: no trial. */
  readonly trial: { readonly end: Date; readonly skuIds: ReadonlySet<string> } | null
}

/** Returns what a wallet's prices depend on; undefined if the wallet doesn't exist. */
export async function readBillingFacts(db: Db, walletId: string): Promise<BillingFacts | undefined> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .leftJoin('discounts as d', 'd.id', 'w.discountId')
    .leftJoin('userSettings as s', (join) => join.onRef('s.userId', '=', 'o.id').on('s.key', '=', 'plan_id'))
    .leftJoin('plans as p', (join) => join.on('s.value', '=', (eb) => eb.cast('p.id', 'text')))
    .select(['w.currency', 'd.discount', 'o.id as ownerId', 'o.status', 'w.createdAt'])
    .select(['p.id as planId', 'p.freeMonths'])
    .where('w.id', '=', walletId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { planId, freeMonths } = row
  return {
    ownerId: row.ownerId,
    currency: row.currency,
    discount: row.discount ?? 0,
    isDegraded: hasBit(row.status, userStatus.degraded),
    trial:
      planId === null || freeMonths === null || freeMonths === 0
        ? null
        : { end: addMonths(row.createdAt, freeMonths), skuIds: await trialSkus(db, planId) },
  }
}

/**
 * All SKUs in the plan's packages except storage, which is charged from the first day beyond its free units.
 */
async function trialSkus(db: Db, planId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('planPackages as pp')
    .innerJoin('packageSkus as l', 'l.packageId', 'pp.packageId')
    .innerJoin('skus as k', 'k.id', 'l.skuId')
    .select('k.id')
    .where('pp.planId', '=', planId)
    .where('k.handler', '!=', 'Storage')
    .execute()
  return new Set(rows.map((row) => row.id))
}
