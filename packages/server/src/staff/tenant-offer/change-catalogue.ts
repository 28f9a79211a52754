import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, isUniqueViolation } from '../../platform/db/database.ts'
import {
  Conflict,
  type FieldMessages,
  message,
  NotFound,
  ValidationError,
} from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { hasUsableTokens } from '../../signup/grants/token-store.ts'
import { readOfferLimits } from '../../tenants/offer-limit-store.ts'
import { holdTenant } from '../../tenants/tenant-store.ts'
import { differences } from '../../users/user-snapshot.ts'
import type { Catalogue, Package, PackageItem, Product, SalesPlan } from './catalogue.ts'
import { type OfferRules, packageProblems, planProblems, productProblems } from './catalogue-rules.ts'
import {
  deletePackage,
  deletePlan,
  holdPlan,
  isPlanInUse,
  readCatalogue,
  writeOrder,
  writePackage,
  writePlan,
  writeProduct,
} from './catalogue-store.ts'

export interface OfferParts {
  readonly db: Db
  readonly clock: Clock
}

/** Whose catalogue is changed, by whom, and in which context. */
export interface CatalogueChange extends Omit<OfferRules, 'limits'> {
  readonly tenantId: number
  readonly actor: Actor
  /** The revision the form was loaded with, if sent; a different one now is a Conflict. */
  readonly revision?: string | null | undefined
}

export type ProductInput = Pick<Product, 'name' | 'description' | 'cost' | 'active'>

export type PackageInput = Pick<Package, 'name' | 'description' | 'discountRate'> & {
  /** Quantity by SKU id; 0 removes it from the package. */
  readonly skus: Readonly<Record<string, number>>
}

export type PlanInput = Omit<SalesPlan, 'id' | 'title' | 'revision'>

interface Scene extends OfferRules {
  readonly trx: Db
  readonly catalogue: Catalogue
}

/** Changes a SKU's texts and price. Throws NotFound, Conflict, ValidationError by field. */
export function changeProduct(
  parts: OfferParts,
  change: CatalogueChange,
  id: string,
  input: ProductInput,
): Promise<void> {
  return inCatalogue(parts, change, async (scene) => {
    const { trx, catalogue } = scene
    const was = findRevised(catalogue.products, id, change)
    const product = { ...was, ...input }
    const products = catalogue.products.map((one) => (one.id === id ? product : one))
    refuse(productProblems(product, { before: catalogue, after: { ...catalogue, products } }, scene))
    await writeProduct(trx, product)
    await note(
      trx,
      parts,
      change,
      'sku-changed',
      product.title,
      differences(ofProduct(was), ofProduct(product)),
    )
  })
}

/** Creates a package. Returns its id. Throws ValidationError by field. */
export function createPackage(
  parts: OfferParts,
  change: CatalogueChange,
  title: string,
  input: PackageInput,
): Promise<string> {
  const id = newUuid()
  return inCatalogue(parts, change, async (scene) => {
    const item = packageOf({ id, title, revision: 0, items: [] }, input)
    await putPackage(scene, change, item)
    await note(scene.trx, parts, change, 'package-created', title, {
      after: ofPackage(item, scene.catalogue),
    })
    return id
  })
}

/** Changes a package. Throws NotFound, Conflict, ValidationError by field. */
export function changePackage(
  parts: OfferParts,
  change: CatalogueChange,
  id: string,
  input: PackageInput,
): Promise<void> {
  return inCatalogue(parts, change, async (scene) => {
    const { catalogue } = scene
    const was = findRevised(catalogue.packages, id, change)
    const item = packageOf(was, input)
    await putPackage(scene, change, item)
    const data = differences(ofPackage(was, catalogue), ofPackage(item, catalogue))
    await note(scene.trx, parts, change, 'package-changed', item.title, data)
  })
}

async function putPackage(scene: Scene, { tenantId }: CatalogueChange, item: Package): Promise<void> {
  const { trx, catalogue } = scene
  const packages = [...catalogue.packages.filter(({ id }) => id !== item.id), item]
  refuse(packageProblems(item, { before: catalogue, after: { ...catalogue, packages } }, scene))
  await writePackage(trx, tenantId, item)
}

/** Deletes a package. Throws NotFound, and ValidationError if a plan contains it. */
export function removePackage(parts: OfferParts, change: CatalogueChange, id: string): Promise<void> {
  return inCatalogue(parts, change, async ({ trx, catalogue }) => {
    const item = findRevised(catalogue.packages, id, change)
    const plan = catalogue.plans.find(({ packageIds }) => packageIds.includes(id))
    if (plan !== undefined)
      throw ValidationError.at('package', 'tenant-offer.package-in-plan', { plan: plan.title })
    await deletePackage(trx, id)
    await note(trx, parts, change, 'package-deleted', item.title, { before: ofPackage(item, catalogue) })
  })
}

/** Creates a plan, last in the order. Returns its id. Throws ValidationError by field. */
export function createPlan(
  parts: OfferParts,
  change: CatalogueChange,
  title: string,
  input: PlanInput,
): Promise<string> {
  const id = newUuid()
  return inCatalogue(parts, change, async (scene) => {
    const plan = { id, title, revision: 0, ...input }
    refuse(planProblems(plan, scene.catalogue, { ...scene, hasUsableTokens: false }))
    await writePlan(scene.trx, change.tenantId, plan)
    await note(scene.trx, parts, change, 'plan-created', title, { after: ofPlan(plan, scene.catalogue) })
    return id
  })
}

/** Changes a plan; existing accounts are unaffected. Throws NotFound, Conflict, ValidationError by field. */
export function changePlan(
  parts: OfferParts,
  change: CatalogueChange,
  id: string,
  input: PlanInput,
): Promise<void> {
  return inCatalogue(parts, change, async (scene) => {
    const { trx, catalogue } = scene
    const was = findRevised(catalogue.plans, id, change)
    const plan = { ...was, ...input }
    const hasTokens = await hasUsableTokens(trx, id, parts.clock.now())
    refuse(planProblems(plan, catalogue, { ...scene, hasUsableTokens: hasTokens }))
    await writePlan(trx, change.tenantId, plan)
    const data = differences(ofPlan(was, catalogue), ofPlan(plan, catalogue))
    await note(trx, parts, change, 'plan-changed', plan.title, data)
  })
}

/** Deletes a plan. Throws NotFound, and ValidationError if accounts used it or a valid token refers to it. */
export function removePlan(parts: OfferParts, change: CatalogueChange, id: string): Promise<void> {
  return inCatalogue(parts, change, async ({ trx, catalogue }) => {
    const plan = findRevised(catalogue.plans, id, change)
    await holdPlan(trx, id)
    if (await isPlanInUse(trx, id)) throw ValidationError.at('plan', 'tenant-offer.plan-in-use')
    if (await hasUsableTokens(trx, id, parts.clock.now())) {
      throw ValidationError.at('plan', 'tenant-offer.plan-has-tokens')
    }
    await deletePlan(trx, id)
    await note(trx, parts, change, 'plan-deleted', plan.title, { before: ofPlan(plan, catalogue) })
  })
}

/** Reorders plans. Throws ValidationError unless every plan is named once. */
export function orderPlans(
  parts: OfferParts,
  change: CatalogueChange,
  planIds: readonly string[],
): Promise<void> {
  return inCatalogue(parts, change, async ({ trx, catalogue: { plans } }) => {
    const wanted = planIds.flatMap((id) => plans.filter((plan) => plan.id === id))
    if (new Set(planIds).size !== plans.length || wanted.length !== plans.length) {
      throw ValidationError.at('plans', 'tenant-offer.order-incomplete')
    }
    await writeOrder(trx, change.tenantId, planIds)
    const titles = (list: readonly SalesPlan[]) => ({ plans: list.map(({ title }) => title) })
    await note(trx, parts, change, 'plans-ordered', undefined, differences(titles(plans), titles(wanted)))
  })
}

/** Serializes changes of a tenant's catalogue, so that each is validated against the current state. */
function inCatalogue<T>(
  { db }: OfferParts,
  change: CatalogueChange,
  act: (scene: Scene) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .execute(async (trx) => {
      if ((await holdTenant(trx, change.tenantId)) === undefined) throw new NotFound()
      const limits = await readOfferLimits(trx, change.tenantId)
      const { takesPayments, language } = change
      return act({
        trx,
        catalogue: await readCatalogue(trx, change.tenantId),
        limits,
        takesPayments,
        language,
      })
    })
    .catch((error: unknown) => {
      const isTaken = ['packages_tenant_id_title_key', 'plans_tenant_id_title_key'].some((name) =>
        isUniqueViolation(error, name),
      )
      throw isTaken ? ValidationError.at('title', 'tenant-offer.title-taken') : error
    })
}

function findRevised<T extends { readonly id: string; readonly revision: number }>(
  list: readonly T[],
  id: string,
  { revision }: CatalogueChange,
): T {
  const found = list.find((one) => one.id === id)
  if (found === undefined) throw new NotFound()
  if (revision != null && revision !== String(found.revision)) {
    throw new Conflict(message('directory.changed-meanwhile'))
  }
  return found
}

function refuse(problems: Readonly<Record<string, FieldMessages>>): void {
  if (Object.keys(problems).length > 0) throw new ValidationError(problems)
}

/** A SKU that stays in a package keeps its price there. */
function packageOf(
  was: Pick<Package, 'id' | 'title' | 'revision' | 'items'>,
  { skus, ...input }: PackageInput,
): Package {
  const items = Object.entries(skus)
    .filter(([, qty]) => qty > 0)
    .map(
      ([skuId, qty]): PackageItem => ({
        skuId,
        qty,
        cost: was.items.find((item) => item.skuId === skuId)?.cost ?? null,
      }),
    )
  return { ...was, ...input, items }
}

function ofProduct({ name, description, cost, active }: Product) {
  return { name, description, cost, active }
}

function ofPackage({ name, description, discountRate, items }: Package, { products }: Catalogue) {
  const title = (id: string) => products.find((product) => product.id === id)?.title ?? id
  const skus = items.map(({ skuId, qty }) => [title(skuId), qty] as const)
  const sorted = skus.sort(([one], [other]) => (one < other ? -1 : 1))
  return { name, description, discountRate, skus: Object.fromEntries(sorted) }
}

function ofPlan(
  { name, description, mode, months, freeMonths, hidden, packageIds }: SalesPlan,
  { packages }: Catalogue,
) {
  const title = (id: string) => packages.find((item) => item.id === id)?.title ?? id
  const facts = { name, description, mode, months, freeMonths, hidden }
  return { ...facts, packages: packageIds.map(title).sort() }
}

async function note(
  trx: Db,
  { clock }: OfferParts,
  { tenantId, actor }: CatalogueChange,
  what: string,
  title: string | undefined,
  data: Record<string, unknown> | undefined,
): Promise<void> {
  if (data === undefined) return
  const event = `tenant.${what}`
  const entry = { tenantId, objectType: 'tenant', objectId: tenantId, event, actor }
  await audit(trx, clock, { ...entry, data: { ...(title !== undefined && { title }), ...data } })
}
