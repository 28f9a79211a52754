import { discountedPrice } from '@gatehouse/contract/price'
import type { PricePreview, Sku, SubscriptionPackage } from '@gatehouse/contract/subscriptions'
import type { Pricing } from './discount.tsx'

/**
 * The one SKU that a package consists of, as far as its price tells. Free units of domains are counted in the
 * account, which only the SKU's next price knows.
 */
function onlySku({ cost }: SubscriptionPackage, skus: readonly Sku[]): Sku | undefined {
  const onSale = skus.filter((sku) => sku.active === 1)
  const [sku] = onSale
  return onSale.length === 1 && sku?.cost === cost ? sku : undefined
}

/** Cents a month of the next domain with a package, before the discount. */
export function nextCost(item: SubscriptionPackage, skus: readonly Sku[]): number {
  return onlySku(item, skus)?.nextCost ?? item.cost
}

/** The packages with what the next domain costs in each. */
export function withPrices(
  packages: readonly SubscriptionPackage[],
  skus: readonly Sku[],
): SubscriptionPackage[] {
  return packages.map((item) => ({ ...item, cost: nextCost(item, skus) }))
}

/** What a new domain with a package costs, in the form of a price preview. */
export function domainPrice(
  item: SubscriptionPackage,
  skus: readonly Sku[],
  { currency, discount }: Pricing,
): PricePreview {
  const monthly = discountedPrice(nextCost(item, skus), discount)
  const { id, title, name } = onlySku(item, skus) ?? item
  return {
    currency,
    discount,
    dueNow: 0,
    monthly: { now: 0, next: monthly },
    lines: [{ skuId: id, title, name, quantity: 1, monthly, change: monthly }],
    trialUntil: null,
    later: [],
  }
}
