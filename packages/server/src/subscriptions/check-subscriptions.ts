import type { SkuType } from '@gatehouse/contract/billing/subscriptions'
import { type Message, message } from '../platform/http/errors.ts'
import { type HandlerName, handlers } from './handlers.ts'

/** A SKU of the tenant as the rules see it. */
export interface OfferedSku {
  readonly id: string
  readonly title: string
  /** In the language of the response, for error messages. */
  readonly name: string
  readonly handler: HandlerName
  readonly active: boolean
  readonly unitsFree: number
  /** Units that the object has. */
  readonly held: number
}

export interface SubscriptionContext {
  readonly type: SkuType
  /** All SKUs of the tenant, including other types. */
  readonly skus: readonly OfferedSku[]
  /** The caller is staff. */
  readonly isStaff: boolean
  /** The caller controls the account. */
  readonly isController: boolean
}

export interface CheckedSubscriptions {
  /** Units by SKU id, without zeros. */
  readonly wanted: ReadonlyMap<string, number>
  /** Errors by SKU id; empty if valid. */
  readonly errors: ReadonlyMap<string, Message>
}

/**
 * Validates an object's complete requested state against all handler rules. `given` are quantities by SKU id
 * as sent by the client; SKUs not listed are not requested. Reports the first error per SKU.
 */
export function checkSubscriptions(
  given: ReadonlyMap<string, unknown>,
  context: SubscriptionContext,
): CheckedSubscriptions {
  const byId = new Map(context.skus.map((sku) => [sku.id, sku]))
  const wanted = new Map<string, number>()
  const errors = new Map<string, Message>()
  for (const [id, value] of given) {
    const quantity = readQuantity(value)
    if (!byId.has(id)) errors.set(id, message('subscriptions.unknown'))
    else if (quantity === undefined) errors.set(id, message('subscriptions.quantity'))
    else if (quantity > 0) wanted.set(id, quantity)
  }
  const chosen = context.skus.filter((sku) => wanted.has(sku.id) || errors.has(sku.id))
  for (const sku of context.skus) {
    if (errors.has(sku.id)) continue
    const problem =
      availability(sku, wanted.get(sku.id) ?? 0, context) ??
      amount(sku, wanted.get(sku.id) ?? 0, context) ??
      (wanted.has(sku.id) ? company(sku, chosen, context) : undefined)
    if (problem !== undefined) errors.set(sku.id, problem)
  }
  for (const [id, problem] of missingChoice(chosen, context)) if (!errors.has(id)) errors.set(id, problem)
  return { wanted, errors }
}

/** Parses an integer of at least 0 from a number or text; undefined for anything else. */
export function readQuantity(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** Whether the object may have the SKU in this quantity at all. */
function availability(sku: OfferedSku, units: number, context: SubscriptionContext): Message | undefined {
  const handler = handlers[sku.handler]
  const { name } = sku
  if (units > 0 && handler.type !== context.type) return message('subscriptions.wrong-type', { name })
  const mayGive = sku.active || (context.isStaff && handler.staffGivesInactive === true)
  if (units > sku.held && !mayGive) return message('subscriptions.inactive', { name })
  if (handler.controllerOnly && !context.isController && units !== sku.held) {
    return message('subscriptions.controllers-only', { name })
  }
  return undefined
}

/** Checks minimum and maximum; SKUs neither on sale nor held can't be requested. */
function amount(sku: OfferedSku, units: number, context: SubscriptionContext): Message | undefined {
  const handler = handlers[sku.handler]
  if (handler.type !== context.type) return undefined
  const { name } = sku
  const isBasic = handler.readonly && (sku.active || sku.held > 0)
  if (handler.range !== undefined) {
    const min = isBasic || units > 0 ? sku.unitsFree : 0
    if (units < min) return message('subscriptions.min-gb', { name, min })
    const { max } = handler.range
    return units > max ? message('subscriptions.max-gb', { name, max }) : undefined
  }
  if (isBasic && units === 0) return message('subscriptions.mandatory', { name })
  return units > 1 ? message('subscriptions.single', { name }) : undefined
}

/** Checks the SKUs it requires and those it excludes. */
function company(
  sku: OfferedSku,
  chosen: readonly OfferedSku[],
  context: SubscriptionContext,
): Message | undefined {
  const { name } = sku
  for (const needed of handlers[sku.handler].required ?? []) {
    if (!chosen.some((other) => other.handler === needed)) {
      const other = nameOf(needed, context)
      return message('subscriptions.requires', { name, other })
    }
  }
  const enemy = chosen.find((other) => excludes(sku, other) || excludes(other, sku))
  return enemy && message('subscriptions.forbids', { name, other: enemy.name })
}

function excludes(sku: OfferedSku, other: OfferedSku): boolean {
  const { forbidden = [], exclusive = [] } = handlers[sku.handler]
  return forbidden.includes(other.handler) || exclusive.includes(other.handler)
}

/** If one of several is required and none chosen, the preselected one gets the error. */
function missingChoice(
  chosen: readonly OfferedSku[],
  context: SubscriptionContext,
): readonly [string, Message][] {
  return context.skus.flatMap<[string, Message]>((sku) => {
    const { type, enabled, exclusive } = handlers[sku.handler]
    if (type !== context.type || !enabled || exclusive === undefined || !sku.active) return []
    const group = [sku.handler, ...exclusive]
    if (chosen.some((one) => group.includes(one.handler))) return []
    const others = exclusive.map((handler) => nameOf(handler, context)).join(', ')
    return [[sku.id, message('subscriptions.choose-one', { name: sku.name, other: others })]]
  })
}

/** Returns the tenant's name for a handler's SKU, which the tenant may not have. */
function nameOf(handler: HandlerName, context: SubscriptionContext): string {
  return context.skus.find((sku) => sku.handler === handler)?.name ?? handler
}
