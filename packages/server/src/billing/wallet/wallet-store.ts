import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Localised } from '../../platform/db/schema.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import type { BillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { comingPricesOf } from '../../subscriptions/price-changes/unit-store.ts'
import type { OwnedObject } from '../../users/policy.ts'

/** A wallet with the data required by its policies. */
export interface WalletRecord {
  readonly id: string
  readonly ownerId: number
  readonly currency: string
  readonly balance: number
  readonly description: string | null
  readonly discountId: string | null
  readonly discount: number | null
  readonly discountDescription: Localised | null
  readonly owned: OwnedObject
}

/** Reads a wallet; undefined if it doesn't exist, or its owner is deleted. */
export async function readWallet(db: Db, id: string): Promise<WalletRecord | undefined> {
  const row = await db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.userId')
    .leftJoin('discounts as d', 'd.id', 'w.discountId')
    .select(['w.id', 'w.currency', 'w.balance', 'w.description', 'w.discountId'])
    .select(['o.id as ownerId', 'o.tenantId', 'o.role', 'd.discount', 'd.description as discountDescription'])
    .where('w.id', '=', id)
    .where('o.deletedAt', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const controllers = await db
    .selectFrom('walletControllers')
    .select('userId')
    .where('walletId', '=', id)
    .execute()
  const role: Role | null = row.role
  return {
    id: row.id,
    ownerId: row.ownerId,
    currency: row.currency,
    balance: row.balance,
    description: row.description,
    discountId: row.discountId,
    discount: row.discount,
    discountDescription: row.discountDescription,
    owned: {
      tenantId: row.tenantId,
      role,
      ownerId: row.ownerId,
      controllerIds: controllers.map((controller) => controller.userId),
    },
  }
}

/** The wallet of the account that a user owns or controls. */
export async function walletIdOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('walletId').where('id', '=', userId).executeTakeFirst()
  return row?.walletId ?? undefined
}

/** Units of a wallet with the same price and dates. */
interface PricedUnits {
  units: number
  cost: number
  months: number
  since: Date
  began: Date
  coming: readonly { since: string; cost: number }[] | null
}

/** Units of a wallet that are or will be charged; those in a trial from its end. */
export async function pricedUnits(
  db: Db,
  walletId: string,
  trial: BillingFacts['trial'],
): Promise<PricedUnits[]> {
  const trialSkus = [...(trial?.skuIds ?? [])]
  // for the anchor day, the latest date represents all
  const { rows } = await sql<PricedUnits>`select count(*) as units, cost, months, since, max(began) as began,
      coming::json
    from (
      select l.cost, ${comingPricesOf('l')}::text as coming, l.months, greatest(l.billed_until, t.ends) as since,
        case when t.ends > l.billed_until then t.ends else coalesce(l.counted_from, l.created_at) end as began
      from entitlements l cross join lateral (select case when l.sku_id = any(${trialSkus}::uuid[])
        then ${trial?.end ?? null}::timestamptz end as ends) t
      where l.wallet_id = ${walletId} and l.deleted_at is null
    ) e
    where cost > 0 or coming is not null
    group by cost, months, coming, since, extract(day from began at time zone 'UTC')`.execute(db)
  return rows
}
