/** Returns the keys of values that differ from the form's base, in order. */
export function changedKeys<V extends object>(values: V, base: V): (keyof V & string)[] {
  // Object.keys loses the key type; the values have exactly these keys.
  const keys = Object.keys(base) as (keyof V & string)[]
  return keys.filter((key) => JSON.stringify(values[key]) !== JSON.stringify(base[key]))
}

/** Merges the input with a newer state: untouched values follow the server. */
export function mergeValues<V extends object>(mine: V, base: V, theirs: V): V {
  const merged = { ...theirs }
  for (const key of changedKeys(mine, base)) merged[key] = mergeValue(mine[key], base[key], theirs[key])
  return merged
}

/** Returns the number of added or removed entries. An edited entry counts as removed and added. */
export function countListChanges(now: readonly string[], before: readonly string[]): number {
  return Math.max(without(now, before).length, without(before, now).length)
}

/** Merges lists entry by entry; for anything else, the input wins. */
function mergeValue<T>(mine: T, base: T, theirs: T): T {
  if (!isList(mine) || !isList(base) || !isList(theirs)) return mine
  const removed = new Set(without(base, mine))
  const kept = theirs.filter((item) => !removed.has(item))
  const added = without(without(mine, base), kept)
  const merged: readonly string[] = [...added, ...kept]
  return merged as T // T is a list of texts here, as checked by `isList`
}

function without(list: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return list.filter((item) => !known.has(item))
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value)
}
