import type { Language } from '@gatehouse/contract/language'
import type { catalogueContent } from '@gatehouse/contract/staff/tenant-catalogue'
import type { z } from 'zod'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { handlers } from '../../subscriptions/handlers.ts'
import { type PackageLine, packageCost, packageYearCost } from '../../subscriptions/prices/pricing.ts'
import { readDiscounts } from '../../tenants/discount-store.ts'
import { readOfferLimits } from '../../tenants/offer-limit-store.ts'
import { requireTenant } from '../../tenants/require-tenant.ts'
import { actorOf } from '../../users/actor.ts'
import { type Catalogue, type Package, packageType } from './catalogue.ts'
import { readCatalogue } from './catalogue-store.ts'
import {
  type CatalogueChange,
  changePackage,
  changePlan,
  changeProduct,
  createPackage,
  createPlan,
  type OfferParts,
  orderPlans,
  removePackage,
  removePlan,
} from './change-catalogue.ts'
import { readText } from './localised-input.ts'

export interface CatalogueParts extends OfferParts {
  readonly config: Pick<SiteConfig, 'APP_CURRENCY'>
  /** The installation accepts payments. */
  readonly takesPayments: boolean
}

/** A tenant's catalogue, as its staff see and change it. */
export function serveCatalogue(api: Api, parts: CatalogueParts): void {
  const { db } = parts
  const changeOf = async (
    { principal, ip, language }: { readonly principal: Principal } & Pick<RequestFacts, 'ip' | 'language'>,
    idText: string,
  ): Promise<CatalogueChange> => {
    const { id: tenantId } = await requireTenant(db, principal, idText)
    return { tenantId, language, actor: actorOf(principal, { ip }), takesPayments: parts.takesPayments }
  }

  api.serve('GET /api/v4/tenants/{id}/catalogue', async ({ principal, params, language }) => {
    const { id, currency } = await requireTenant(db, principal, params.id)
    return {
      currency: currency ?? parts.config.APP_CURRENCY,
      limits: await readOfferLimits(db, id),
      takesPayments: parts.takesPayments,
      ...present(await readCatalogue(db, id), language),
      discounts: await readDiscounts(db, id, language),
    }
  })

  api.serveLate('PUT /api/v4/tenants/{id}/skus/{sku}', async ({ params, read, t, ...request }) => {
    const change = await changeOf(request, params.id)
    const { revision, cost, active, ...texts } = read()
    await changeProduct(parts, { ...change, revision }, params.sku, { ...readTexts(texts), cost, active })
    return { status: 'success', message: t('tenant-offer.sku-changed') }
  })

  api.serveLate('POST /api/v4/tenants/{id}/packages', async ({ params, read, t, ...request }) => {
    const change = await changeOf(request, params.id)
    const { title, discountRate, skus, ...texts } = read()
    const id = await createPackage(parts, change, title, { ...readTexts(texts), discountRate, skus })
    return { status: 'success', message: t('tenant-offer.package-created'), id }
  })

  api.serveLate('PUT /api/v4/tenants/{id}/packages/{package}', async ({ params, read, t, ...request }) => {
    const change = await changeOf(request, params.id)
    const { revision, discountRate, skus, ...texts } = read()
    const input = { ...readTexts(texts), discountRate, skus }
    await changePackage(parts, { ...change, revision }, params.package, input)
    return { status: 'success', message: t('tenant-offer.package-changed') }
  })

  api.serve('DELETE /api/v4/tenants/{id}/packages/{package}', async ({ params, t, ...request }) => {
    await removePackage(parts, await changeOf(request, params.id), params.package)
    return { status: 'success', message: t('tenant-offer.package-deleted') }
  })

  api.serveLate('POST /api/v4/tenants/{id}/plans', async ({ params, read, t, ...request }) => {
    const change = await changeOf(request, params.id)
    const { title, packages, name, description, ...facts } = read()
    const input = { ...facts, ...readTexts({ name, description }), packageIds: packages }
    const id = await createPlan(parts, change, title, input)
    return { status: 'success', message: t('tenant-offer.plan-created'), id }
  })

  api.serveLate('PUT /api/v4/tenants/{id}/plans', async ({ params, read, t, ...request }) => {
    await orderPlans(parts, await changeOf(request, params.id), read().plans)
    return { status: 'success', message: t('tenant-offer.plans-ordered') }
  })

  api.serveLate('PUT /api/v4/tenants/{id}/plans/{plan}', async ({ params, read, t, ...request }) => {
    const change = await changeOf(request, params.id)
    const { revision, packages, name, description, ...facts } = read()
    const input = { ...facts, ...readTexts({ name, description }), packageIds: packages }
    await changePlan(parts, { ...change, revision }, params.plan, input)
    return { status: 'success', message: t('tenant-offer.plan-changed') }
  })

  api.serve('DELETE /api/v4/tenants/{id}/plans/{plan}', async ({ params, t, ...request }) => {
    await removePlan(parts, await changeOf(request, params.id), params.plan)
    return { status: 'success', message: t('tenant-offer.plan-deleted') }
  })
}

function readTexts({
  name,
  description,
}: {
  readonly name: LanguageTexts
  readonly description: LanguageTexts
}) {
  return { name: readText(name), description: readText(description) }
}

type LanguageTexts = Readonly<Record<string, unknown>>

type Content = Pick<z.input<typeof catalogueContent>, 'skus' | 'packages' | 'plans'>

function present(catalogue: Catalogue, language: Language): Content {
  const texts = ({ name, description }: Pick<Package, 'name' | 'description'>) => ({
    name: localised(name, language),
    names: name,
    descriptions: description,
  })
  const { products, packages, plans } = catalogue
  const skus = products.map((product) => {
    const { id, title, cost, fee, unitsFree, period, handler, active, revision } = product
    const { type, range } = handlers[handler]
    return {
      ...{ id, title, cost, fee, units_free: unitsFree, period, handler, type, active },
      ...{ ...texts(product), max: range?.max ?? 1, revision: String(revision) },
    }
  })
  return {
    skus: skus.sort((one, other) => prioOf(other.handler) - prioOf(one.handler)),
    packages: packages.map((item) => ({
      ...texts(item),
      ...{ id: item.id, title: item.title, discountRate: item.discountRate, revision: String(item.revision) },
      skus: Object.fromEntries(item.items.map(({ skuId, qty }) => [skuId, qty])),
      isDomain: packageType(item, catalogue) === 'domain',
      cost: packageCost(linesOf(item, catalogue)),
      plans: plans.filter(({ packageIds }) => packageIds.includes(item.id)).map(({ title }) => title),
    })),
    plans: plans.map((plan) => {
      const { id, title, mode, months, freeMonths, hidden, packageIds, revision } = plan
      const chosen = packages.filter((item) => packageIds.includes(item.id))
      const year = chosen.reduce((sum, item) => sum + packageYearCost(linesOf(item, catalogue)), 0)
      const cost = Math.floor((year * months) / 12)
      return {
        ...{ ...texts(plan), id, title, mode, months, freeMonths, hidden, cost },
        ...{ packages: [...packageIds], revision: String(revision) },
      }
    }),
  }
}

function prioOf(handler: string): number {
  return Object.entries(handlers).find(([name]) => name === handler)?.[1].prio ?? 0
}

/** Returns the lines that make up a package's price. */
function linesOf({ items, discountRate }: Package, { products }: Catalogue): PackageLine[] {
  return items.flatMap(({ skuId, qty, cost }) =>
    products
      .filter(({ id }) => id === skuId)
      .map((product) => ({
        ...{ qty, cost, period: product.period, skuCost: product.cost },
        ...{ unitsFree: product.unitsFree, discountRate },
      })),
  )
}
