import type { Language } from '@gatehouse/contract/language'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { type FieldMessages, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import { localised } from '../platform/i18n/localised.ts'
import { requireWithinCeiling } from './ceiling.ts'
import { checkSubscriptions } from './check-subscriptions.ts'
import {
  countWalletUnits,
  deleteUnits,
  type Entitled,
  holdWallet,
  insertUnits,
  isDeletedUser,
  readUnits,
  readWalletUnits,
  type Unit,
} from './entitlement-store.ts'
import { type HandlerName, handlers, skuTypeOf } from './handlers.ts'
import type { SubscriptionRights } from './policy.ts'
import { monthlyCost, monthsOf, unitCosts } from './prices/pricing.ts'
import type { PricedUnit } from './restore-subscriptions.ts'
import { type CatalogueSku, readSkus, readSkusById } from './sku-store.ts'

/** An object, the caller, and the complete requested state of the object. */
export interface WantedSubscriptions {
  readonly object: Entitled
  /** The object's tenant. */
  readonly tenantId: number
  /** Quantities by SKU id as sent by the client; validated here against all rules. */
  readonly wanted: Readonly<Record<string, unknown>>
  readonly actor: SubscriptionRights
  /** Language of the error messages, which name SKUs. */
  readonly language: Language
  /** False if the installation doesn't allow changing subscriptions. */
  readonly isOffered: boolean
}

export interface ChangedUnit extends Unit {
  readonly title: string
  readonly handler: HandlerName
}

/** The result of a change, for auditing and provisioning. */
export interface ChangedSubscriptions {
  readonly added: readonly ChangedUnit[]
  readonly removed: readonly ChangedUnit[]
  /** Handlers whose number of units changed. */
  readonly handlers: ReadonlySet<HandlerName>
}

/**
 * Returns the errors of a requested state as the value of `errors.skus`, or undefined. Use it to report them
 * together with other fields' errors; the change itself validates again under its lock.
 */
export async function subscriptionErrors(
  db: Db,
  request: WantedSubscriptions & { readonly walletId?: string },
): Promise<FieldMessages | undefined> {
  return planSubscriptions(await readState(db, request), request).errors
}

/**
 * Changes an object's entitlements to the complete requested state: adds missing units at list price and
 * removes surplus ones, the most expensive first, then the oldest. Call it inside a transaction; concurrent
 * changes of a wallet are serialized. Throws ValidationError at `skus`.
 */
export async function changeSubscriptions(
  trx: Db,
  clock: Clock,
  request: WantedSubscriptions & { readonly walletId: string },
): Promise<ChangedSubscriptions> {
  const { object, walletId } = request
  await holdWallet(trx, walletId)
  if (object.type === 'user' && (await isDeletedUser(trx, object.id))) throw new NotFound()
  const state = await readState(trx, request)
  const plan = planSubscriptions(state, request)
  if (plan.errors !== undefined) throw new ValidationError({ skus: plan.errors })
  const now = clock.now()
  await deleteUnits(
    trx,
    now,
    plan.remove.map((unit) => unit.id),
  )
  const added = await insertUnits(trx, now, object, walletId, plan.add)
  if (priceOf(added) > priceOf(plan.remove)) {
    await requireWithinCeiling(trx, walletId, 'skus', request.language)
  }
  return finish(state.skus, added, plan.remove)
}

/**
 * Removes everything from a deleted object, or from all objects of a wallet. Call it inside a transaction.
 */
export async function removeSubscriptions(
  trx: Db,
  clock: Clock,
  request: { readonly walletId: string; readonly object: Entitled | 'all' },
): Promise<ChangedSubscriptions> {
  const { object, walletId } = request
  await holdWallet(trx, walletId)
  const units =
    object === 'all' ? await readWalletUnits(trx, walletId) : await readUnits(trx, object.type, [object.id])
  await deleteUnits(
    trx,
    clock.now(),
    units.map((unit) => unit.id),
  )
  // by id and not by tenant: objects of several tenants may be billed to one wallet
  const skus = await readSkusById(trx, [...new Set(units.map((unit) => unit.skuId))])
  return finish(skus, [], units)
}

/** What a change would add and remove, or its errors. */
export interface SubscriptionPlan {
  readonly errors: FieldMessages | undefined
  readonly add: readonly PricedUnit[]
  readonly remove: readonly Unit[]
}

/** Plans the changes from an object's current to the complete requested state. */
export function planSubscriptions(
  state: SubscriptionState,
  request: Omit<WantedSubscriptions, 'tenantId'>,
): SubscriptionPlan {
  const { wanted, errors } = checkState(state, request)
  return errors === undefined ? { errors, ...planChange(state, wanted) } : { errors, add: [], remove: [] }
}

/** The catalogue and an object's units. */
export interface SubscriptionState {
  readonly skus: readonly CatalogueSku[]
  /** Units by SKU, cheapest first, then oldest. */
  readonly units: ReadonlyMap<string, readonly Unit[]>
  /** Units per SKU that count against the free ones; if absent, the object's. */
  readonly counted?: ReadonlyMap<string, number>
}

async function readState(
  db: Db,
  { tenantId, object, walletId }: WantedSubscriptions & { readonly walletId?: string },
): Promise<SubscriptionState> {
  const skus = await readSkus(db, tenantId)
  const units = unitsBySku(await readUnits(db, object.type, [object.id]))
  if (object.type === 'user' || walletId === undefined) return { skus, units }
  return { skus, units, counted: await countWalletUnits(db, walletId) }
}

/** Groups units by SKU, in their order. */
export function unitsBySku(units: readonly Unit[]): ReadonlyMap<string, readonly Unit[]> {
  const found = new Map<string, Unit[]>()
  for (const unit of units) found.set(unit.skuId, [...(found.get(unit.skuId) ?? []), unit])
  return found
}

function checkState(
  state: SubscriptionState,
  request: Omit<WantedSubscriptions, 'tenantId'>,
): { wanted: ReadonlyMap<string, number>; errors: FieldMessages | undefined } {
  if (!request.isOffered) return { wanted: new Map(), errors: message('subscriptions.disabled') }
  const { wanted, errors } = checkSubscriptions(new Map(Object.entries(request.wanted)), {
    type: skuTypeOf(request.object.type),
    skus: state.skus.map((sku) => ({
      ...sku,
      name: localised(sku.name, request.language),
      held: state.units.get(sku.id)?.length ?? 0,
    })),
    ...request.actor,
  })
  if (errors.size > 0) return { wanted, errors }
  return { wanted, errors: request.actor.mayBuy ? undefined : costErrors(state, wanted, request.language) }
}

/** Errors for additions that an unpaid account can't make, if the change as a whole would cost more. */
function costErrors(
  state: SubscriptionState,
  wanted: ReadonlyMap<string, number>,
  language: Language,
): FieldMessages | undefined {
  const { add, remove } = planChange(state, wanted)
  const sum = (units: readonly { readonly cost: number }[]) =>
    units.reduce((total, unit) => total + unit.cost, 0)
  if (sum(add) <= sum(remove)) return undefined
  const dearer = new Set(add.filter((unit) => unit.cost > 0).map((unit) => unit.skuId))
  return new Map(
    state.skus
      .filter((sku) => dearer.has(sku.id))
      .map((sku) => [sku.id, message('subscriptions.degraded', { name: localised(sku.name, language) })]),
  )
}

function planChange(
  state: SubscriptionState,
  wanted: ReadonlyMap<string, number>,
): { add: readonly PricedUnit[]; remove: readonly Unit[] } {
  const add: PricedUnit[] = []
  const remove: Unit[] = []
  for (const sku of state.skus) {
    const held = state.units.get(sku.id) ?? []
    // free units of a quantity are never removed: they cost nothing and the back end counts on them
    const floor = handlers[sku.handler].range === undefined ? 0 : Math.min(sku.unitsFree, held.length)
    const units = Math.max(wanted.get(sku.id) ?? 0, floor)
    remove.push(...dearestFirst(held).slice(0, Math.max(0, held.length - units)))
    const counted = state.counted?.get(sku.id) ?? held.length
    const costs = unitCosts(counted, Math.max(0, units - held.length), sku.unitsFree, sku.cost)
    const fees = unitCosts(counted, costs.length, sku.unitsFree, sku.fee)
    add.push(
      ...costs.map((cost, index) => ({ skuId: sku.id, months: monthsOf(sku), cost, fee: fees[index] ?? 0 })),
    )
  }
  return { add, remove }
}

/** Cents per month, before discounts. */
function priceOf(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + monthlyCost(unit), 0)
}

/** Units at the same price are removed oldest first. */
function dearestFirst(units: readonly Unit[]): Unit[] {
  return [...units].sort(
    (one, other) => other.cost - one.cost || one.createdAt.getTime() - other.createdAt.getTime(),
  )
}

function finish(
  skus: readonly CatalogueSku[],
  added: readonly Unit[],
  removed: readonly Unit[],
): ChangedSubscriptions {
  const byId = new Map(skus.map((sku) => [sku.id, sku]))
  const named = (units: readonly Unit[]) =>
    units.flatMap<ChangedUnit>((unit) => {
      const sku = byId.get(unit.skuId)
      return sku === undefined ? [] : [{ ...unit, title: sku.title, handler: sku.handler }]
    })
  const gone = named(removed)
  const come = named(added)
  return { added: come, removed: gone, handlers: new Set([...come, ...gone].map((unit) => unit.handler)) }
}
