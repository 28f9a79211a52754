import { parseAttributePath } from '../filter/parse-filter.ts'
import {
  findAttribute,
  findIn,
  findSchema,
  isObject,
  type Resource,
  type ResourceSchema,
} from './attribute.ts'

/** Which attributes an answer contains, RFC 7644 §3.9. */
export interface Projection {
  /** Undefined: all. */
  readonly attributes: readonly string[] | undefined
  readonly excluded: readonly string[]
}

/** Whether an answer contains an attribute of the core schema, so that it is read only if needed. */
export function isProjected(
  type: ResourceSchema,
  { attributes, excluded }: Projection,
  name: string,
): boolean {
  const names = (texts: readonly string[]) =>
    texts.map((text) => pathOf(type, text)).filter((path) => path?.name === name)
  if (attributes !== undefined) return names(attributes).length > 0
  return !names(excluded).some((path) => path?.sub === undefined)
}

/** Returns a resource with the wanted attributes. `schemas` and `id` are always included. */
export function project(type: ResourceSchema, resource: Resource, projection: Projection): Resource {
  const { attributes, excluded } = projection
  if (attributes !== undefined) return pick(type, resource, attributes)
  if (excluded.length === 0) return resource
  const copy = structuredClone(resource)
  for (const text of excluded) remove(type, copy, text)
  return copy
}

function pick(type: ResourceSchema, resource: Resource, wanted: readonly string[]): Resource {
  const picked: Resource = { schemas: resource.schemas, id: resource.id }
  for (const text of wanted) {
    const extension = findSchema(type, text)?.id
    if (extension !== undefined && resource[extension] !== undefined) picked[extension] = resource[extension]
    const path = pathOf(type, text)
    if (path === undefined) continue
    const from = path.extension === undefined ? resource : resource[path.extension]
    const value = isObject(from) ? from[path.name] : undefined
    if (value === undefined) continue
    const to = path.extension === undefined ? picked : innerOf(picked, path.extension)
    to[path.name] = path.sub === undefined ? value : withSub(to[path.name], value, path.sub)
  }
  return picked
}

function withSub(before: unknown, value: unknown, sub: string): unknown {
  const part = (whole: unknown) => (isObject(whole) && whole[sub] !== undefined ? { [sub]: whole[sub] } : {})
  if (!Array.isArray(value)) return { ...(isObject(before) && before), ...part(value) }
  const known: readonly unknown[] = Array.isArray(before) ? before : []
  return value.map((element, index) => {
    const own = known[index]
    return { ...(isObject(own) && own), ...part(element) }
  })
}

function remove(type: ResourceSchema, resource: Resource, text: string): void {
  const whole = type.extensions.find(({ id }) => id.toLowerCase() === text.toLowerCase())
  if (whole !== undefined) delete resource[whole.id]
  const path = pathOf(type, text)
  if (path === undefined || (path.extension === undefined && ['id', 'schemas'].includes(path.name))) return
  const holder = path.extension === undefined ? resource : resource[path.extension]
  if (!isObject(holder)) return
  const { sub } = path
  if (sub === undefined) {
    delete holder[path.name]
    return
  }
  const value = holder[path.name]
  for (const part of Array.isArray(value) ? value : [value]) if (isObject(part)) delete part[sub]
}

function innerOf(resource: Resource, extension: string): Resource {
  const found = resource[extension]
  if (isObject(found)) return found
  const made: Resource = {}
  resource[extension] = made
  return made
}

/** Returns where a name leads to; undefined if the type has no such attribute. */
function pathOf(type: ResourceSchema, text: string) {
  const path = parseAttributePath(text.trim())
  const place = path && findAttribute(type, path.urn, path.name)
  if (path === undefined || place === undefined || place === 'ignored') return undefined
  const sub =
    path.sub === undefined ? undefined : (findIn(place.attribute.subAttributes, path.sub)?.name ?? path.sub)
  return { extension: place.extension, name: place.attribute.name, sub }
}
