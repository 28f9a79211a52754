/** A reference to a resource that another operation makes. */
export const bulkReference = /^bulkId:(.+)$/

/** Maximum depth of data in which references are resolved. */
const deepest = 32

/** Returns a reference in a value that can't be resolved yet; undefined if there is none. */
export function unresolvedIn(value: unknown, ids: ReadonlyMap<string, string>): string | undefined {
  let found: string | undefined
  replaced(value, (id) => {
    if (!ids.has(id)) found ??= id
    return id
  })
  return found
}

/** Returns a value in which references are replaced by ids. */
export function withReferences<T>(value: T, ids: ReadonlyMap<string, string>): T {
  // only texts are replaced, by texts
  return replaced(value, (id) => ids.get(id) ?? id) as T
}

function replaced(value: unknown, idOf: (id: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return replacedText(value, idOf)
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.map((one) => replaced(one, idOf, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, idOf, depth + 1)]))
}

/** Replaces a text that is a reference, or a path that ends with one. */
function replacedText(text: string, idOf: (id: string) => string): string {
  const path = /^(\/(?:Users|Groups)\/)bulkId:(.+)$/.exec(text)
  if (path !== null) return `${path[1] ?? ''}${idOf(path[2] ?? '')}`
  const id = bulkReference.exec(text)?.[1]
  return id === undefined ? text : idOf(id)
}
