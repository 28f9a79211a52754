import type { Language } from '@gatehouse/contract/language'
import type { OfferLimits } from '@gatehouse/contract/staff/tenant-catalogue'
import { type FieldMessages, type Message, message } from '../../platform/http/errors.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { checkSubscriptions } from '../../subscriptions/check-subscriptions.ts'
import { packageUnitCost } from '../../subscriptions/prices/pricing.ts'
import {
  type Catalogue,
  type Package,
  type PackageItem,
  type Product,
  packageType,
  type SalesPlan,
} from './catalogue.ts'

/** Context for validating a catalogue. */
export interface OfferRules {
  /** Null: the service itself, without limits. */
  readonly limits: OfferLimits | null
  /** The installation accepts payments. */
  readonly takesPayments: boolean
  /** Language of the messages. */
  readonly language: Language
}

type Problems = Readonly<Record<string, FieldMessages>>

/**
 * Returns the errors of a changed product by form field. `before` and `after` are the catalogue without and
 * with the change. Existing values are not validated again: a lowered limit doesn't invalidate them.
 */
export function productProblems(
  product: Product,
  { before, after }: { readonly before: Catalogue; readonly after: Catalogue },
  rules: OfferRules,
): Problems {
  const was = before.products.find(({ id }) => id === product.id)
  const cost = was?.cost === product.cost ? undefined : priceProblem(product, { before, after }, rules)
  const breaks = ({ items }: Package) => {
    const known = subscriptionProblems(items, before, rules)
    return [...subscriptionProblems(items, after, rules).keys()].some((skuId) => !known.has(skuId))
  }
  const broken = after.packages.find((item) => isInPlan(item, after) && breaks(item))
  return {
    ...(cost && { cost }),
    ...(broken && { active: message('tenant-offer.package-needs', { package: nameOf(broken, rules) }) }),
  }
}

function priceProblem(
  product: Product,
  { before, after }: { readonly before: Catalogue; readonly after: Catalogue },
  rules: OfferRules,
): Message | undefined {
  if (!forbidsBelowFee(rules)) return undefined
  if (product.cost < product.fee) return message('tenant-offer.below-fee')
  const isNew = (item: Package) =>
    belowFee(item, after).has(product.id) &&
    !belowFee(
      before.packages.find(({ id }) => id === item.id),
      before,
    ).has(product.id)
  const cheap = after.packages.find(isNew)
  return cheap && message('tenant-offer.below-fee-in', { package: nameOf(cheap, rules) })
}

/** Returns the errors of a package by form field; at `skus`, by SKU id. */
export function packageProblems(
  item: Package,
  { before, after }: { readonly before: Catalogue; readonly after: Catalogue },
  rules: OfferRules,
): Problems {
  const was = before.packages.find(({ id }) => id === item.id)
  const { limits } = rules
  const problems: Record<string, FieldMessages> = {}
  if (
    limits !== null &&
    item.discountRate > limits.packageDiscount &&
    item.discountRate !== was?.discountRate
  ) {
    problems.discountRate = message('tenant-offer.package-discount', { max: limits.packageDiscount })
  }
  const skus = new Map(subscriptionProblems(item.items, after, rules))
  if (forbidsBelowFee(rules)) {
    const known = belowFee(was, before)
    for (const skuId of belowFee(item, after)) {
      if (!known.has(skuId) && !skus.has(skuId)) skus.set(skuId, message('tenant-offer.below-fee'))
    }
  }
  if (item.items.length === 0) problems.skus = message('tenant-offer.package-empty')
  else if (skus.size > 0) problems.skus = skus
  else if (
    was !== undefined &&
    isInPlan(was, before) &&
    packageType(was, before) !== packageType(item, after)
  ) {
    problems.skus = message('tenant-offer.package-kind')
  }
  return problems
}

/**
 * Returns the errors of a plan by form field. A valid plan is available for sign-up: every package can be
 * ordered as it is, and one of them is for the user.
 */
export function planProblems(
  plan: SalesPlan,
  before: Catalogue,
  rules: OfferRules & { readonly hasUsableTokens: boolean },
): Problems {
  const was = before.plans.find(({ id }) => id === plan.id)
  const { limits } = rules
  const mode = modeProblem(plan, was, rules)
  const packages = plansPackagesProblem(plan, before, rules)
  const isTooLong =
    limits !== null && plan.freeMonths > limits.freeMonths && plan.freeMonths !== was?.freeMonths
  return {
    ...(mode && { mode }),
    ...(isTooLong && { freeMonths: message('tenant-offer.free-months', { max: limits.freeMonths }) }),
    ...(packages && { packages }),
  }
}

function modeProblem(
  plan: SalesPlan,
  was: SalesPlan | undefined,
  { limits, takesPayments, hasUsableTokens }: OfferRules & { readonly hasUsableTokens: boolean },
): Message | undefined {
  if (plan.mode === was?.mode) return undefined
  if (limits !== null && !limits.planModes.includes(plan.mode))
    return message('tenant-offer.mode-not-allowed')
  if (plan.mode === 'mandate' && !takesPayments) return message('tenant-offer.mode-unpayable')
  return hasUsableTokens ? message('tenant-offer.mode-has-tokens') : undefined
}

function plansPackagesProblem(plan: SalesPlan, catalogue: Catalogue, rules: OfferRules): Message | undefined {
  const chosen = plan.packageIds.map((id) => catalogue.packages.find((item) => item.id === id))
  const known = chosen.filter((item) => item !== undefined)
  if (known.length === 0) return message('tenant-offer.plan-empty')
  if (known.length < chosen.length) return message('tenant-offer.package-unknown')
  if (new Set(plan.packageIds).size < plan.packageIds.length) return message('tenant-offer.package-twice')
  if (!known.some((item) => packageType(item, catalogue) === 'user'))
    return message('tenant-offer.plan-no-user')
  const broken = known.find((item) => subscriptionProblems(item.items, catalogue, rules).size > 0)
  if (broken !== undefined) return message('tenant-offer.package-broken', { package: nameOf(broken, rules) })
  const clashes = (['user', 'domain'] as const).some((type) => {
    const ofType = known.filter((item) => packageType(item, catalogue) === type)
    return ofType.length > 1 && subscriptionProblems(together(ofType), catalogue, rules).size > 0
  })
  return clashes ? message('tenant-offer.packages-clash') : undefined
}

/** Returns subscription rule violations of an object with exactly these units, by SKU id. */
function subscriptionProblems(
  items: readonly PackageItem[],
  catalogue: Catalogue,
  { language }: Pick<OfferRules, 'language'>,
): ReadonlyMap<string, Message> {
  const skus = catalogue.products.map(({ id, title, name, handler, active, unitsFree }) => ({
    ...{ id, title, handler, active, unitsFree },
    ...{ name: localised(name, language), held: 0 },
  }))
  const given = new Map(items.map(({ skuId, qty }) => [skuId, qty]))
  const type = packageType({ items }, catalogue)
  return checkSubscriptions(given, { type, skus, isStaff: false, isController: true }).errors
}

/** Returns the combined units of several packages, as one object would get them. */
function together(packages: readonly Package[]): PackageItem[] {
  const sums = new Map<string, number>()
  for (const { items } of packages) {
    for (const { skuId, qty } of items) sums.set(skuId, (sums.get(skuId) ?? 0) + qty)
  }
  return [...sums].map(([skuId, qty]) => ({ skuId, qty, cost: null }))
}

/** Returns SKUs whose paid units cost less in a package than the tenant's fee. */
function belowFee(item: Package | undefined, { products }: Catalogue): ReadonlySet<string> {
  const cheap = (item?.items ?? []).filter((line) => {
    const product = products.find(({ id }) => id === line.skuId)
    if (item === undefined || product === undefined || line.qty <= product.unitsFree) return false
    return packageUnitCost(line, product, item.discountRate) < product.fee
  })
  return new Set(cheap.map(({ skuId }) => skuId))
}

function forbidsBelowFee({ limits }: OfferRules): boolean {
  return limits !== null && !limits.belowFee
}

function isInPlan({ id }: Package, { plans }: Catalogue): boolean {
  return plans.some(({ packageIds }) => packageIds.includes(id))
}

function nameOf({ name }: Package, { language }: OfferRules): string {
  return localised(name, language)
}
