/** A field changed by an event, in words. */
export interface FieldChange {
  field: string
  /** Empty if there was no value. */
  before: string
  after: string
}

/** Formats a field's value; for an entry of a set with quantities, the key and its quantity. */
export type SayValue = (field: string, value: unknown, count?: unknown) => string

/** Maximum list entries shown by name; the rest is counted. */
const most = 12

/** Facts of an event that aren't fields but are shown like new ones. */
export const factFields: readonly string[] = ['delegatee', 'plan', 'recipients', 'client']

/**
 * Returns an event's field changes in the given order, unknown fields last. Includes removals as well as
 * additions.
 */
export function changesIn(
  data: Readonly<Record<string, unknown>> | null,
  order: readonly string[] = [],
  say: SayValue = plain,
): FieldChange[] {
  const before = read(data?.before)
  // file events are recorded at the owner, so the file's name is a fact
  const facts = data && 'file' in data ? [...factFields, 'name'] : factFields
  const after = { ...pick(data ?? {}, facts), ...read(data?.after) }
  const place = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort((left, right) => place(left) - place(right) || left.localeCompare(right))
    .map((field) => ({ field, ...difference(field, before[field], after[field], say) }))
    .filter((change) => change.before !== '' || change.after !== '')
}

/** For lists and sets with quantities, only the differences are shown. */
function difference(field: string, before: unknown, after: unknown, say: SayValue) {
  const left = words(field, before, say)
  const right = words(field, after, say)
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

function words(field: string, value: unknown, say: SayValue): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.map((item) => say(field, item))
  if (isRecord(value)) return Object.entries(value).map(([key, count]) => say(field, key, count))
  return [say(field, value)]
}

/** Returns a value as is. */
export function plain(_field: string, value: unknown, count?: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return count === undefined ? text : `${text} ${JSON.stringify(count)}`
}

function pick(data: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
  )
}

/** Fields recorded in their stored form: lists and flags as JSON. */
const stored = /_(policy|config|enabled|domains)$|^limit_geo$/

function read(fields: unknown): Record<string, unknown> {
  const entries = Object.entries(asRecord(fields))
  return Object.fromEntries(
    entries.map(([field, value]) => [field, stored.test(field) ? fromJson(value) : value]),
  )
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(true|false|\[.*\])$/s.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
