import type { CreationOffer } from '@gatehouse/contract/staff-creation'
import type { SkuType } from '@gatehouse/contract/subscriptions'
import { NextPrice } from '../../../ui/directory/new-price.tsx'
import { pricingOf } from '../../../ui/subscriptions/discount.tsx'

/** What one more object of a type costs in a customer's account. */
export function CustomerPrice({ offer, type }: { offer: CreationOffer; type: SkuType }) {
  const data = offer.skus.filter((sku) => sku.type === type)
  const query = { data, isPending: false, isError: false, refetch: () => {} }
  return <NextPrice query={query} pricing={pricingOf(offer)} />
}
