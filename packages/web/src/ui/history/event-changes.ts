/** A field that an event has changed, in words. */
export interface FieldChange {
  field: string
  /** Empty: there was nothing. */
  before: string
  after: string
}

/** Entries of a list that are named; of more, only their number is told. */
const most = 12

/**
 * What an event says about fields before and after, in the given order; what is not in it comes last. What was
 * removed is told as well as what was made.
 */
export function changesIn(
  data: Readonly<Record<string, unknown>> | null,
  order: readonly string[],
): FieldChange[] {
  const before = asRecord(data?.before)
  const after = asRecord(data?.after)
  const place = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length)
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return fields
    .sort((left, right) => place(left) - place(right) || left.localeCompare(right))
    .map((field) => ({ field, ...difference(before[field], after[field]) }))
    .filter((change) => change.before !== '' || change.after !== '')
}

/** Of lists and of sets with quantities only what differs is worth words. */
function difference(before: unknown, after: unknown): { before: string; after: string } {
  const left = words(before)
  const right = words(after)
  const isMany = Array.isArray(before ?? after) || isRecord(before ?? after)
  if (!isMany) return { before: left.join(), after: right.join() }
  const had = new Set(left)
  const has = new Set(right)
  return {
    before: some(left.filter((word) => !has.has(word))),
    after: some(right.filter((word) => !had.has(word))),
  }
}

function some(list: readonly string[]): string {
  if (list.length <= most) return list.join(', ')
  return `${list.slice(0, most).join(', ')}, … (+${list.length - most})`
}

function words(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.map(String)
  if (isRecord(value)) return Object.entries(value).map(([key, count]) => `${key} ${JSON.stringify(count)}`)
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
