/** Keys of the values that differ from where a form began, in the order of the values. */
export function changedKeys<V extends object>(values: V, base: V): (keyof V & string)[] {
  // Object.keys forgets the key type; the values have these keys and no others.
  const keys = Object.keys(base) as (keyof V & string)[]
  return keys.filter((key) => JSON.stringify(values[key]) !== JSON.stringify(base[key]))
}

/** Lays what was typed over a newer state: what nobody touched here follows the server. */
export function mergeValues<V extends object>(mine: V, base: V, theirs: V): V {
  const merged = { ...theirs }
  for (const key of changedKeys(mine, base)) merged[key] = mergeValue(mine[key], base[key], theirs[key])
  return merged
}

/** How many entries of a list came or went. An edited entry is one that went and one that came. */
export function countListChanges(now: readonly string[], before: readonly string[]): number {
  return Math.max(without(now, before).length, without(before, now).length)
}

/** Lists are merged entry by entry; of anything else what was typed here holds. */
function mergeValue<T>(mine: T, base: T, theirs: T): T {
  if (!isList(mine) || !isList(base) || !isList(theirs)) return mine
  const removed = new Set(without(base, mine))
  const kept = theirs.filter((item) => !removed.has(item))
  const added = without(without(mine, base), kept)
  const merged: readonly string[] = [...added, ...kept]
  return merged as T // T is a list of texts here, as `isList` found
}

function without(list: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return list.filter((item) => !known.has(item))
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value)
}
