/** Entries that a setting has at most. */
const mostEntries = 1000

/** One entry of a list that was sent, with its place there. */
export interface SentEntry {
  readonly index: number
  /** Undefined: it is no text. */
  readonly text: string | undefined
}

/**
 * The entries of a setting that is a list of texts, without the blank ones; one text stands for a list of it, and
 * nothing for an empty list. Undefined when it is no list, or too long a one.
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
