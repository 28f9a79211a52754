import type { Sku, SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import type { Language } from '@gatehouse/contract/language'
import { localised } from '../platform/i18n/localised.ts'
import { handlers } from './handlers.ts'
import { packageCost, packageYearCost } from './prices/pricing.ts'
import type { CataloguePackage, CatalogueSku } from './sku-store.ts'

/** A SKU in the API; reference api-objects §13.3. */
export function presentSku(sku: CatalogueSku, language: Language): Sku {
  const { range, required, forbidden, exclusive, controllerOnly, ...handler } = handlers[sku.handler]
  return {
    id: sku.id,
    title: sku.title,
    name: localised(sku.name, language),
    description: localised(sku.description, language),
    cost: sku.cost,
    units_free: sku.unitsFree,
    period: sku.period,
    active: sku.active ? 1 : 0,
    type: handler.type,
    handler: sku.handler,
    readonly: handler.readonly,
    enabled: handler.enabled,
    prio: handler.prio,
    ...(range && { range: { min: sku.unitsFree, ...range } }),
    ...(required && { required: [...required] }),
    ...(forbidden && { forbidden: [...forbidden] }),
    ...(exclusive && { exclusive: [...exclusive] }),
    ...(controllerOnly && { controllerOnly }),
  }
}

export function presentPackage(item: CataloguePackage, language: Language): SubscriptionPackage {
  return {
    id: item.id,
    title: item.title,
    name: localised(item.name, language),
    description: localised(item.description, language),
    cost: packageCost(item.lines),
    yearCost: packageYearCost(item.lines),
    isDomain: item.lines.some((line) => line.handler === 'DomainHosting'),
  }
}
