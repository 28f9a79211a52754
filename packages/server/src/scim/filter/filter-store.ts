import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../errors.ts'
import type { AttributePath, CompareOperator, Filter, FilterValue } from './filter.ts'

/** How an attribute is compared in the database. */
export type Column =
  | {
      readonly kind: 'text'
      readonly sql: RawBuilder<unknown>
      /** Compared by case; otherwise in lower case. */
      readonly isExact?: true
      /** Stored in lower case, so that an index applies. */
      readonly isLower?: true
    }
  | { readonly kind: 'boolean'; readonly sql: RawBuilder<unknown> }
  | { readonly kind: 'moment'; readonly sql: RawBuilder<unknown> }
  /** A multi-valued attribute: rows of a query with the alias `e`. */
  | { readonly kind: 'elements'; readonly sql: RawBuilder<unknown>; readonly parts: Columns }

/** Columns by path in lower case: `name.familyname`. */
export type Columns = Readonly<Record<string, Column>>

/** Returns the column of a path; undefined if the attribute can't be searched. */
export type FindColumn = (path: AttributePath) => Column | undefined

/** Compiles a filter to a condition that is never null. Throws ScimError (`invalidFilter`). */
export function conditionOf(filter: Filter, find: FindColumn): RawBuilder<boolean> {
  switch (filter.kind) {
    case 'and':
      return sql`(${conditionOf(filter.left, find)} and ${conditionOf(filter.right, find)})`
    case 'or':
      return sql`(${conditionOf(filter.left, find)} or ${conditionOf(filter.right, find)})`
    case 'not':
      return sql`(not ${conditionOf(filter.inner, find)})`
    case 'element':
      return elementCondition(filter.path, filter.inner, find)
    case 'present':
      return presence(columnAt(filter.path, find))
    case 'compare':
      return comparison(columnAt(filter.path, find), filter.operator, filter.value)
  }
}

/** Returns what a list is sorted by. Throws ScimError (`invalidPath`). */
export function orderOf(path: AttributePath, find: FindColumn): RawBuilder<unknown> {
  const column = find(path)
  if (column === undefined || column.kind === 'elements') {
    throw invalid('invalidPath', 'scim.invalid-path', { path: path.name })
  }
  return column.kind === 'text' && column.isExact !== true ? sql`lower(${column.sql})` : column.sql
}

function columnAt(path: AttributePath, find: FindColumn): Column {
  const column = find(path)
  if (column === undefined) throw invalid('invalidFilter', 'scim.not-searchable', { name: nameOf(path) })
  return column
}

function nameOf({ name, sub }: AttributePath): string {
  return sub === undefined ? name : `${name}.${sub}`
}

function elementCondition(path: AttributePath, inner: Filter, find: FindColumn): RawBuilder<boolean> {
  const column = columnAt(path, find)
  if (column.kind !== 'elements')
    throw invalid('invalidFilter', 'scim.not-searchable', { name: nameOf(path) })
  const { parts } = column
  const condition = conditionOf(inner, ({ name, sub }) =>
    sub === undefined ? parts[name.toLowerCase()] : undefined,
  )
  return sql`exists (select from ${column.sql} e where ${condition})`
}

function presence(column: Column): RawBuilder<boolean> {
  if (column.kind === 'elements') return sql`exists (select from ${column.sql} e)`
  if (column.kind === 'text') return sql`(coalesce(${column.sql}, '') <> '')`
  return sql`(${column.sql} is not null)`
}

function comparison(column: Column, operator: CompareOperator, value: FilterValue): RawBuilder<boolean> {
  if (column.kind === 'elements') {
    const inner: Filter = {
      kind: 'compare',
      path: { urn: undefined, name: 'value', sub: undefined },
      operator,
      value,
    }
    return sql`exists (select from ${column.sql} e where ${conditionOf(inner, ({ name }) => column.parts[name])})`
  }
  if (operator === 'ne') return sql`(not ${comparison(column, 'eq', value)})`
  if (value === null) {
    if (operator !== 'eq') throw invalid('invalidFilter', 'scim.invalid-filter')
    return sql`(not ${presence(column)})`
  }
  if (column.kind === 'boolean') return booleanComparison(column.sql, operator, value)
  if (column.kind === 'moment') return momentComparison(column.sql, operator, value)
  if (typeof value !== 'string') throw invalid('invalidFilter', 'scim.invalid-filter')
  // text in PostgreSQL has no null characters
  if (value.includes('\u0000')) return sql`false`
  const isExact = column.isExact === true
  const left = isExact || column.isLower === true ? column.sql : sql`lower(${column.sql})`
  const right = isExact ? sql`${value}::text` : sql`lower(${value}::text)`
  return sql`coalesce(${textComparison(left, operator, right)}, false)`
}

function textComparison(
  left: RawBuilder<unknown>,
  operator: Exclude<CompareOperator, 'ne'>,
  right: RawBuilder<unknown>,
): RawBuilder<boolean> {
  switch (operator) {
    case 'co':
      return sql`strpos(${left}, ${right}) > 0`
    case 'sw':
      return sql`starts_with(${left}, ${right})`
    case 'ew':
      return sql`(${right} = '' or right(${left}, length(${right})) = ${right})`
    case 'eq':
      return sql`${left} = ${right}`
    default:
      return sql`${left} collate "C" ${signs[operator]} ${right} collate "C"`
  }
}

const signs = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=`, eq: sql`=` }

function booleanComparison(
  column: RawBuilder<unknown>,
  operator: CompareOperator,
  value: string | number | boolean,
): RawBuilder<boolean> {
  const text = String(value).toLowerCase()
  if (operator !== 'eq' || !['true', 'false'].includes(text))
    throw invalid('invalidFilter', 'scim.invalid-filter')
  return sql`(${column} = ${text === 'true'})`
}

function momentComparison(
  column: RawBuilder<unknown>,
  operator: CompareOperator,
  value: string | number | boolean,
): RawBuilder<boolean> {
  const moment = new Date(typeof value === 'string' ? value : Number.NaN)
  const isSupported = operator in signs
  if (!isSupported || Number.isNaN(moment.getTime())) throw invalid('invalidFilter', 'scim.invalid-filter')
  const sign = signs[operator as keyof typeof signs] // checked just now
  // answers have milliseconds
  return sql`(date_trunc('milliseconds', ${column}) ${sign} ${moment}::timestamptz)`
}
