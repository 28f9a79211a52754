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

/** An object, who asks, and the complete state that is wanted for the object. */
export interface WantedSubscriptions {
  readonly object: Entitled
  /** Of the object. */
  readonly tenantId: number
  /** Quantities by SKU id as the client sent them; every rule is applied to them here. */
  readonly wanted: Readonly<Record<string, unknown>>
  readonly actor: SubscriptionRights
  /** Errors are sentences with the names of SKUs in this language. */
  readonly language: Language
  /** False: the installation does not let subscriptions be changed. */
  readonly isOffered: boolean
}

export interface ChangedUnit extends Unit {
  readonly title: string
  readonly handler: HandlerName
}

/** What a change did; for the audit and for what has to be provisioned. */
export interface ChangedSubscriptions {
  readonly added: readonly ChangedUnit[]
  readonly removed: readonly ChangedUnit[]
  /** Handlers of which the object has more or fewer units than before. */
  readonly handlers: ReadonlySet<HandlerName>
}

/**
 * What is wrong with a wanted state, as the value of `errors.skus`; undefined: nothing. To report it together
 * with the errors of other fields; the change itself checks again under its lock.
 */
export async function subscriptionErrors(
  db: Db,
  request: WantedSubscriptions & { readonly walletId?: string },
): Promise<FieldMessages | undefined> {
  return planSubscriptions(await readState(db, request), request).errors
}

/**
 * Brings the entitlements of an object to the complete wanted state: units too few are added at list price,
 * units too many go, the dearest first, then the oldest. Call it inside a transaction; changes of one wallet
 * wait for each other. Throws ValidationError at `skus`.
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
 * Takes everything away from an object that is deleted, or from all objects of a wallet. Call it inside a
 * transaction.
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
  // by what they are and not by tenant: objects of several tenants may be billed to one wallet
  const skus = await readSkusById(trx, [...new Set(units.map((unit) => unit.skuId))])
  return finish(skus, [], units)
}

/** What a change would add and remove, or what is wrong with it. */
export interface SubscriptionPlan {
  readonly errors: FieldMessages | undefined
  readonly add: readonly PricedUnit[]
  readonly remove: readonly Unit[]
}

/** What it takes to bring an object from what it has to the complete wanted state. */
export function planSubscriptions(
  state: SubscriptionState,
  request: Omit<WantedSubscriptions, 'tenantId'>,
): SubscriptionPlan {
  const { wanted, errors } = checkState(state, request)
  return errors === undefined ? { errors, ...planChange(state, wanted) } : { errors, add: [], remove: [] }
}

/** The catalogue, and what an object has. */
export interface SubscriptionState {
  readonly skus: readonly CatalogueSku[]
  /** Units by SKU, cheapest first, then oldest. */
  readonly units: ReadonlyMap<string, readonly Unit[]>
  /** Units of each SKU that use up the free ones; absent: those of the object. */
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

/** Units in their order, by SKU. */
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

/** What an account that has to pay first must not add, if all in all the change would cost more. */
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
    // free units of a quantity are never given back: they cost nothing and the back end counts on them
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

/** Cents a month, before discounts. */
function priceOf(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + monthlyCost(unit), 0)
}

/** Of units at one price the oldest goes first. */
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
