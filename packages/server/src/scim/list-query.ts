import { z } from 'zod'
import { invalid } from './errors.ts'
import type { AttributePath } from './filter/filter.ts'
import { type Columns, conditionOf, type FindColumn, orderOf } from './filter/filter-store.ts'
import { parseAttributePath, parseFilter } from './filter/parse-filter.ts'
import { findAttribute, findIn, isObject, type ResourceSchema } from './schemas/attribute.ts'
import type { Projection } from './schemas/project.ts'
import type { Selection } from './users/user-store.ts'

export const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** Maximum resources in an answer. */
export const maxResults = 200

/** Maximum names in `attributes` and `excludedAttributes`. */
const mostNames = 100

/** A request for a list, RFC 7644 §3.4.2. */
export interface ListQuery extends Projection {
  readonly filter: string | undefined
  readonly sortBy: string | undefined
  readonly isDescending: boolean
  /** From 1. */
  readonly startIndex: number
  readonly count: number
}

const text = z.string().max(8192).optional()
/** Numbers below the minimum count as the minimum. */
const whole = (least: number, otherwise: number) =>
  z.coerce
    .number()
    .int()
    .catch(otherwise)
    .default(otherwise)
    .transform((value) => Math.max(least, Math.min(value, 1_000_000_000)))

const names = z
  .union([z.string().transform((list) => list.split(',')), z.array(z.string())])
  .optional()
  .transform((list) => list?.map((name) => name.trim()).filter((name) => name !== ''))
  .refine((list) => (list?.length ?? 0) <= mostNames)

const query = z.object({
  // the parser limits it
  filter: z.string().optional(),
  sortby: text,
  sortorder: text,
  startindex: whole(1, 1),
  count: whole(0, maxResults),
  attributes: names,
  excludedattributes: names,
})

/** Reads the query of a list, or the body of a search, whose names are accepted in any case. Throws ScimError. */
export function readListQuery(sent: unknown): ListQuery {
  const fields = isObject(sent) ? sent : {}
  const lower = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]))
  const parsed = query.safeParse(lower)
  if (!parsed.success) throw invalid('invalidValue', 'scim.invalid-query')
  const { sortby, sortorder, startindex, count, filter, attributes, excludedattributes } = parsed.data
  return {
    filter: filter === '' ? undefined : filter,
    sortBy: sortby === '' ? undefined : sortby,
    isDescending: sortorder?.toLowerCase() === 'descending',
    startIndex: startindex,
    count: Math.min(count, maxResults),
    attributes,
    excluded: excludedattributes ?? [],
  }
}

/** Returns the selection of a list. Throws ScimError. */
export function selectionOf(type: ResourceSchema, columns: Columns, list: ListQuery): Selection {
  const find = finder(type, columns)
  const sort = list.sortBy === undefined ? undefined : parseAttributePath(list.sortBy)
  if (list.sortBy !== undefined && sort === undefined) {
    throw invalid('invalidPath', 'scim.invalid-path', { path: list.sortBy.slice(0, 200) })
  }
  return {
    condition: list.filter === undefined ? undefined : conditionOf(parseFilter(list.filter), find),
    ...(sort !== undefined && { order: orderOf(sort, find) }),
    isDescending: list.isDescending,
    offset: list.startIndex - 1,
    limit: list.count,
  }
}

/** Finds the column of a path, whose schema must be one of the resource's. */
function finder(type: ResourceSchema, columns: Columns): FindColumn {
  return ({ urn, name, sub }: AttributePath) => {
    const place = findAttribute(type, urn, name) ?? extensionAttribute(type, urn, name)
    if (place === undefined || place === 'ignored') return undefined
    const key = sub === undefined ? name.toLowerCase() : `${name}.${sub}`.toLowerCase()
    const column = columns[key]
    if (column !== undefined || sub === undefined) return column
    const whole = columns[name.toLowerCase()]
    return whole?.kind === 'elements' ? partOf(whole, sub) : undefined
  }
}

/** `emails.type` without brackets compares that part of any element. */
function partOf(column: Extract<Columns[string], { kind: 'elements' }>, sub: string) {
  const part = column.parts[sub.toLowerCase()]
  return part && { ...column, parts: { ...column.parts, value: part } }
}

/** Directories search attributes of extensions without their URN, too. */
function extensionAttribute(type: ResourceSchema, urn: string | undefined, name: string) {
  if (urn !== undefined) return undefined
  return type.extensions.flatMap(({ attributes }) => findIn(attributes, name) ?? [])[0] === undefined
    ? undefined
    : { extension: undefined }
}
