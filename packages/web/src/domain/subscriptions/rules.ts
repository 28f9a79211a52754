import type { Sku, Subscriptions } from '@gatehouse/contract/billing/subscriptions'

/** Wanted units by id of the SKU, without those of which none is wanted; ordered by id, so that equal ones look equal. */
export type Units = Readonly<Record<string, number>>

/** Why a subscription cannot be ticked or unticked now. `others` are names of subscriptions. */
export type Lock =
  | { kind: 'included' }
  | { kind: 'notOnSale' }
  | { kind: 'requires'; others: string[] }
  | { kind: 'forbidden'; others: string[] }

/** The SKUs in the order in which they are shown. */
export function sortSkus(skus: readonly Sku[]): Sku[] {
  return [...skus].sort((left, right) => right.prio - left.prio || left.name.localeCompare(right.name))
}

/** The units that an object has, as a wish that changes nothing. */
export function heldUnits(held: Subscriptions): Units {
  return ordered(Object.entries(held).map(([id, { count }]) => [id, count]))
}

/** Adds what is always included, at least with its free units, as every wish must name it. */
export function completeUnits(skus: readonly Sku[], units: Units): Units {
  const included = skus.filter((sku) => sku.readonly && !units[sku.id])
  return ordered([...Object.entries(units), ...included.map((sku) => [sku.id, leastUnits(sku)] as const)])
}

/** Whether a subscription is there; what is always included is, whatever the wish says. */
export function isChosen(sku: Sku, units: Units): boolean {
  return sku.readonly || (units[sku.id] ?? 0) > 0
}

/** Whether exactly one of this subscription and others is there, so that choosing another one gives it up. */
export function isOneOf(sku: Sku, skus: readonly Sku[]): boolean {
  return !sku.readonly && among(sku.exclusive, skus).length > 0
}

/** Why the tick of a subscription cannot be changed; undefined: it can. */
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

/** The wish after a tick was set or taken away, with all that follows from it. */
export function toggle(sku: Sku, on: boolean, skus: readonly Sku[], units: Units): Units {
  if (!on) return without(skus, units, [sku])
  const rivals = [...(sku.forbidden ?? []), ...(sku.exclusive ?? [])]
  const left = skus.filter((other) => other !== sku && rivals.includes(other.handler))
  const rest = without(skus, units, left)
  return completeUnits(skus, ordered([...Object.entries(rest), [sku.id, leastUnits(sku)]]))
}

/** The wish with another quantity. */
export function withUnits(sku: Sku, count: number, skus: readonly Sku[], units: Units): Units {
  return completeUnits(skus, ordered([...Object.entries(without([], units, [sku])), [sku.id, count]]))
}

/** Takes subscriptions away, and with them those that need them. */
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
