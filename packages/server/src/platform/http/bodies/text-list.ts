/** Maximum number of entries in a setting. */
const mostEntries = 1000

/** An entry of a list as sent, with its position. */
export interface SentEntry {
  readonly index: number
  /** Undefined: not a string. */
  readonly text: string | undefined
}

/**
 * Returns the non-blank entries of a setting that is a list of texts; a single text counts as a list, and
 * nothing as an empty list. Undefined if it isn't a list or is too long.
 */
export function sentEntries(sent: unknown): SentEntry[] | undefined {
  const items: unknown[] | undefined =
    sent == null ? [] : Array.isArray(sent) ? sent : isText(sent) ? [sent] : undefined
  if (items === undefined || items.length > mostEntries) return undefined
  return items.flatMap((item, index) => {
    if (item == null || (isText(item) && item.trim() === '')) return []
    return [{ index, text: isText(item) && item.length <= 1024 ? item.trim() : undefined }]
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
