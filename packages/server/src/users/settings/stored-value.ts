/** Parses a stored flag: `true` or `false`; null for anything else. */
export function readFlag(value: string | undefined): boolean | null {
  if (value === 'true' || value === '1') return true
  return value === 'false' || value === '0' ? false : null
}

/** Parses a stored JSON list of strings; anything else is empty. */
export function readList(value: string | undefined): string[] {
  try {
    const parsed: unknown = JSON.parse(value ?? '[]')
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : []
  } catch {
    return []
  }
}

/** Parses a stored number of months; null for anything else, such as 0. */
export function readMonths(value: string | undefined): number | null {
  const isNumber = value !== undefined && /^\d{1,3}$/.test(value)
  return isNumber && Number(value) > 0 ? Number(value) : null
}

/** Returns the stored form of a flag; null deletes the setting. */
export function storeFlag(value: boolean | null): string | null {
  return value === null ? null : String(value)
}

/** Returns the stored form of a list; an empty one deletes the setting. */
export function storeList(value: readonly string[]): string | null {
  return value.length === 0 ? null : JSON.stringify(value)
}
