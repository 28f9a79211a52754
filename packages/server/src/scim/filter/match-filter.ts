import { isObject, type Resource } from '../schemas/attribute.ts'
import type { CompareOperator, Filter, FilterValue } from './filter.ts'

/** Whether an element of a multi-valued attribute matches a filter. Strings are compared regardless of case. */
export function matches(element: Resource, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return matches(element, filter.left) && matches(element, filter.right)
    case 'or':
      return matches(element, filter.left) || matches(element, filter.right)
    case 'not':
      return !matches(element, filter.inner)
    case 'present':
      return isPresent(valueAt(element, filter.path.name))
    case 'compare':
      return compares(valueAt(element, filter.path.name), filter.operator, filter.value)
    case 'element':
      return false
  }
}

/** Returns the values that an element must have to match a filter: those compared with `eq`, joined by `and`. */
export function impliedValues(filter: Filter): Resource {
  if (filter.kind === 'and') return { ...impliedValues(filter.left), ...impliedValues(filter.right) }
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return {}
  return { [filter.path.name]: filter.value }
}

function valueAt(element: Resource, name: string): unknown {
  const wanted = name.toLowerCase()
  const key = Object.keys(element).find((known) => known.toLowerCase() === wanted)
  return key === undefined ? undefined : element[key]
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return (
    !(Array.isArray(value) && value.length === 0) && !(isObject(value) && Object.keys(value).length === 0)
  )
}

function compares(value: unknown, operator: CompareOperator, wanted: FilterValue): boolean {
  if (operator === 'ne') return !compares(value, 'eq', wanted)
  if (typeof value === 'boolean') return operator === 'eq' && String(value) === String(wanted).toLowerCase()
  if (value === undefined || value === null) return operator === 'eq' && wanted === null
  if (typeof value !== 'string' || typeof wanted !== 'string') return operator === 'eq' && value === wanted
  const [left, right] = [value.toLowerCase(), wanted.toLowerCase()]
  const results = {
    eq: left === right,
    co: left.includes(right),
    sw: left.startsWith(right),
    ew: left.endsWith(right),
    gt: left > right,
    ge: left >= right,
    lt: left < right,
    le: left <= right,
  }
  return results[operator]
}
