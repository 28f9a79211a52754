import type { PlanMode } from '@gatehouse/contract/signup'
import type { Localised } from '../../platform/db/schema.ts'
import { type HandlerName, handlers } from '../../subscriptions/handlers.ts'
import type { CatalogueSku } from '../../subscriptions/sku-store.ts'

/** A tenant's SKU as shown in its form. */
export interface Product extends Omit<CatalogueSku, 'tenantId'> {
  readonly revision: number
}

/** One SKU of a package. */
export interface PackageItem {
  readonly skuId: string
  readonly qty: number
  /** Cents per unit in this package; null: the SKU's price less the package's discount. */
  readonly cost: number | null
}

export interface Package {
  readonly id: string
  readonly title: string
  readonly name: Localised
  readonly description: Localised
  /** Percent. */
  readonly discountRate: number
  readonly items: readonly PackageItem[]
  readonly revision: number
}

export interface SalesPlan {
  readonly id: string
  /** Part of a URL. */
  readonly title: string
  readonly name: Localised
  readonly description: Localised
  readonly mode: PlanMode
  readonly months: number
  readonly freeMonths: number
  readonly hidden: boolean
  readonly packageIds: readonly string[]
  readonly revision: number
}

/** What a tenant sells. */
export interface Catalogue {
  readonly products: readonly Product[]
  readonly packages: readonly Package[]
  /** In display order. */
  readonly plans: readonly SalesPlan[]
}

/** A package that contains anything for a domain is a domain package. */
export function packageType(item: Pick<Package, 'items'>, { products }: Pick<Catalogue, 'products'>) {
  const ofDomain = (name: HandlerName) => handlers[name].type === 'domain'
  const isDomain = products.some(
    ({ id, handler }) => ofDomain(handler) && item.items.some(({ skuId }) => skuId === id),
  )
  return isDomain ? 'domain' : 'user'
}
