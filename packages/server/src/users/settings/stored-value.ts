/** A stored switch: `true` or `false`; anything else, as no setting at all, is neither. */
export function readFlag(value: string | undefined): boolean | null {
  if (value === 'true' || value === '1') return true
  return value === 'false' || value === '0' ? false : null
}

/** A stored JSON list of texts; what is no such list counts as empty. */
export function readList(value: string | undefined): string[] {
  try {
    const parsed: unknown = JSON.parse(value ?? '[]')
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : []
  } catch {
    return []
  }
}

/** A stored number of months; anything else, as 0, is none. */
export function readMonths(value: string | undefined): number | null {
  const isNumber = value !== undefined && /^\d{1,3}$/.test(value)
  return isNumber && Number(value) > 0 ? Number(value) : null
}

/** A switch as it is stored; null removes the setting. */
export function storeFlag(value: boolean | null): string | null {
  return value === null ? null : String(value)
}

/** A list as it is stored; an empty one removes the setting. */
export function storeList(value: readonly string[]): string | null {
  return value.length === 0 ? null : JSON.stringify(value)
}
