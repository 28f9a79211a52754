import type { Sku, Subscriptions } from '@gatehouse/contract/billing/subscriptions'

/** Selected units by SKU id, without zero units; ordered by id, so that equal selections compare equal. */
export type Units = Readonly<Record<string, number>>

/** Why a subscription can't be selected or removed now. `others` are names of subscriptions. */
export type Lock =
  | { kind: 'included' }
  | { kind: 'notOnSale' }
  | { kind: 'requires'; others: string[] }
  | { kind: 'forbidden'; others: string[] }

/** Sorts SKUs in display order. */
export function sortSkus(skus: readonly Sku[]): Sku[] {
  return [...skus].sort((left, right) => right.prio - left.prio || left.name.localeCompare(right.name))
}

/** Returns the units an object holds, as a selection that changes nothing. */
export function heldUnits(held: Subscriptions): Units {
  return ordered(Object.entries(held).map(([id, { count }]) => [id, count]))
}

/** Adds the required SKUs with at least their free units, which every selection must contain. */
export function completeUnits(skus: readonly Sku[], units: Units): Units {
  const included = skus.filter((sku) => sku.readonly && !units[sku.id])
  return ordered([...Object.entries(units), ...included.map((sku) => [sku.id, leastUnits(sku)] as const)])
}

/** Whether a subscription is selected; required SKUs always are. */
export function isChosen(sku: Sku, units: Units): boolean {
  return sku.readonly || (units[sku.id] ?? 0) > 0
}

/**
 * Whether exactly one of this subscription and others must be selected, so that choosing another one removes
 * it.
 */
export function isOneOf(sku: Sku, skus: readonly Sku[]): boolean {
  return !sku.readonly && among(sku.exclusive, skus).length > 0
}

/** Returns why the checkbox of a subscription is locked; undefined if it isn't. */
export function lockOf(sku: Sku, skus: readonly Sku[], units: Units, held: Subscriptions): Lock | undefined {
  if (sku.readonly) return { kind: 'included' }
  const chosen = skus.filter((other) => other !== sku && isChosen(other, units))
  if (isChosen(sku, units)) return undefined
  if (sku.active === 0 && !sku.canGive && !held[sku.id]) return { kind: 'notOnSale' }
  const missing = (sku.required ?? []).filter((handler) => !chosen.some((other) => other.handler === handler))
  if (missing.length > 0) return { kind: 'requires', others: names(among(missing, skus)) }
  const enemies = chosen.filter((other) => other.forbidden?.includes(sku.handler))
  return enemies.length > 0 ? { kind: 'forbidden', others: names(enemies) } : undefined
}

/** Returns the selection after a checkbox was toggled, with all consequences. */
export function toggle(sku: Sku, on: boolean, skus: readonly Sku[], units: Units): Units {
  if (!on) return without(skus, units, [sku])
  const rivals = [...(sku.forbidden ?? []), ...(sku.exclusive ?? [])]
  const left = skus.filter((other) => other !== sku && rivals.includes(other.handler))
  const rest = without(skus, units, left)
  return completeUnits(skus, ordered([...Object.entries(rest), [sku.id, leastUnits(sku)]]))
}

/** Returns the selection with a new quantity. */
export function withUnits(sku: Sku, count: number, skus: readonly Sku[], units: Units): Units {
  return completeUnits(skus, ordered([...Object.entries(without([], units, [sku])), [sku.id, count]]))
}

/** Removes subscriptions and those that require them. */
function without(skus: readonly Sku[], units: Units, removed: readonly Sku[]): Units {
  const gone = new Set(removed.map(({ id }) => id))
  const handlers = new Set(removed.map(({ handler }) => handler))
  const rest = ordered(Object.entries(units).filter(([id]) => !gone.has(id)))
  const lost = skus.filter(
    (sku) => isChosen(sku, rest) && sku.required?.some((handler) => handlers.has(handler)),
  )
  return lost.length > 0 ? without(skus, rest, lost) : rest
}

function leastUnits(sku: Sku): number {
  return sku.range ? Math.max(1, sku.range.min) : 1
}

function among(handlers: readonly string[] = [], skus: readonly Sku[]): Sku[] {
  return skus.filter((sku) => handlers.includes(sku.handler))
}

function names(skus: readonly Sku[]): string[] {
  return skus.map(({ name }) => name)
}

function ordered(entries: readonly (readonly [string, number])[]): Units {
  const kept = entries.filter(([, count]) => count > 0)
  return Object.fromEntries(kept.sort(([left], [right]) => (left < right ? -1 : 1)))
}
