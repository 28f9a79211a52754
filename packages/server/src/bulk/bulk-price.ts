import type { BulkPrice } from '@gatehouse/contract/directory/bulk'
import type { Db } from '../platform/db/database.ts'
import { NotFound } from '../platform/http/errors.ts'
import { readBillingFacts } from '../subscriptions/billing-facts-store.ts'
import { countPrices, type Unit, usedReturns } from '../subscriptions/entitlement-store.ts'
import { discountedPrice } from '../subscriptions/prices/discounted-price.ts'
import { dueFor } from '../subscriptions/prices/present-preview.ts'
import { monthlyCharge, monthlyCost } from '../subscriptions/prices/pricing.ts'

/** Changes in a wallet: removed units, and the cents per month of added ones. */
export interface PriceChange {
  readonly removed: readonly Unit[]
  readonly added: readonly number[]
}

/**
 * Price of changes for an account, in cents after its discount. Throws NotFound if the wallet doesn't exist.
 */
export async function bulkPriceOf(
  db: Db,
  walletId: string,
  change: PriceChange,
  now: Date,
): Promise<BulkPrice> {
  const facts = await readBillingFacts(db, walletId)
  if (facts === undefined) throw new NotFound()
  const { currency, discount } = facts
  const before = (await countPrices(db, walletId)).reduce(
    (sum, { count, ...price }) => sum + discountedPrice(monthlyCost(price), discount) * count,
    0,
  )
  const gone = monthlyCharge(change.removed.map(monthlyCost), discount)
  const used = await usedReturns(
    db,
    change.removed.map((unit) => unit.id),
  )
  return {
    currency,
    discount,
    monthly: { now: before, next: before - gone + monthlyCharge(change.added, discount) },
    dueNow: change.removed.reduce((sum, unit) => sum + dueFor(unit, facts, now, used.has(unit.id)), 0),
  }
}
