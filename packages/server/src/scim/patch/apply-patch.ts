import { invalid } from '../errors.ts'
import type { PatchPath } from '../filter/filter.ts'
import { impliedValues, matches } from '../filter/match-filter.ts'
import { parsePatchPath } from '../filter/parse-filter.ts'
import {
  type Attribute,
  findAttribute,
  findIn,
  findSchema,
  isObject,
  type Place,
  type Resource,
  type ResourceSchema,
  type ScimSchema,
} from '../schemas/attribute.ts'
import { isReadOnly, readSingle, readValue } from '../schemas/read-resource.ts'
import type { PatchOperation } from './read-patch.ts'

/**
 * Applies changes to a copy of a resource, RFC 7644 §3.5.2, and returns it. Standard attributes that aren't
 * stored are ignored. Throws ScimError.
 */
export function applyPatch(
  type: ResourceSchema,
  resource: Resource,
  operations: readonly PatchOperation[],
): Resource {
  const changed = structuredClone(resource)
  for (const operation of operations) apply(type, changed, operation)
  return changed
}

function apply(type: ResourceSchema, resource: Resource, { op, path, value }: PatchOperation): void {
  if (path !== undefined) {
    applyAt(type, resource, { op, value, path, isNamed: true })
    return
  }
  if (op === 'remove') throw invalid('noTarget', 'scim.path-required')
  if (!isObject(value)) throw invalid('invalidSyntax', 'scim.not-an-object')
  for (const [key, part] of Object.entries(value)) {
    applyAt(type, resource, { op, value: part, path: key, isNamed: false })
  }
}

function applyToExtension(
  type: ResourceSchema,
  resource: Resource,
  { op, value }: Step,
  { id, attributes }: ScimSchema,
): void {
  if (op === 'remove') {
    for (const { name } of attributes)
      applyAt(type, resource, { op, value: undefined, path: `${id}:${name}`, isNamed: false })
    return
  }
  if (!isObject(value)) throw invalid('invalidValue', 'scim.wrong-value', { name: id })
  for (const [name, inner] of Object.entries(value)) {
    applyAt(type, resource, { op, value: inner, path: `${id}:${name}`, isNamed: false })
  }
}

interface Step {
  readonly op: PatchOperation['op']
  readonly value: unknown
  readonly path: string
  /** The path was sent as such; otherwise it is a key of the value, which may repeat what can't be changed. */
  readonly isNamed: boolean
}

function applyAt(type: ResourceSchema, resource: Resource, step: Step): void {
  const { op, value, path: text, isNamed } = step
  const extension = findSchema(type, text)
  if (extension !== undefined) {
    applyToExtension(type, resource, step, extension)
    return
  }
  const path = parsePatchPath(text)
  const place = findAttribute(type, path.path.urn, path.path.name)
  if (place === 'ignored') return
  if (place === undefined) throw invalid('invalidPath', 'scim.invalid-path', { path: text })
  const target = subOf(place.attribute, path, text)
  if (target === 'ignored') return
  if (isReadOnly(place.attribute) || (target !== undefined && isReadOnly(target))) {
    // directories send derived values such as `name.formatted`, and groups with their `id`
    if (isNamed && place.attribute.subAttributes === undefined) throw readOnly(text)
    if (isNamed && target === undefined) throw readOnly(text)
    return
  }
  const holder = holderFor(resource, place)
  if (path.filter !== undefined) changeElements(holder, place.attribute, path, { op, value, sub: target })
  else if (target !== undefined) changeSub(holder, place.attribute, target, { op, value })
  else if (op === 'remove') removeValue(holder, place.attribute, value)
  else if (op === 'add') addValue(holder, place.attribute, value)
  else setValue(holder, place.attribute, readValue(place.attribute, value))
}

function readOnly(path: string) {
  return invalid('mutability', 'scim.read-only', { name: path })
}

/** Standard sub-attributes that aren't stored. */
const ignoredSubs: ReadonlySet<string> = new Set([
  'middlename',
  'honorificprefix',
  'honorificsuffix',
  'display',
])

function subOf(
  attribute: Attribute,
  { path, sub }: PatchPath,
  text: string,
): Attribute | 'ignored' | undefined {
  const name = sub ?? path.sub
  if (name === undefined) return undefined
  const found = findIn(attribute.subAttributes, name)
  if (found === undefined && ignoredSubs.has(name.toLowerCase())) return 'ignored'
  if (found === undefined) throw invalid('invalidPath', 'scim.invalid-path', { path: text })
  return found
}

function holderFor(resource: Resource, { extension }: Place): Resource {
  if (extension === undefined) return resource
  const found = resource[extension]
  if (isObject(found)) return found
  const holder: Resource = {}
  resource[extension] = holder
  return holder
}

function setValue(holder: Resource, { name }: Attribute, value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) delete holder[name]
  else holder[name] = value
}

function addValue(holder: Resource, attribute: Attribute, value: unknown): void {
  const read = readValue(attribute, value)
  if (read === undefined) return
  if (attribute.multiValued === true) {
    const added = Array.isArray(read) ? read : [read]
    setValue(holder, attribute, merged(elementsOf(holder, attribute), added.filter(isObject)))
  } else if (isObject(read)) {
    const before = holder[attribute.name]
    holder[attribute.name] = { ...(isObject(before) && before), ...read }
  } else setValue(holder, attribute, read)
}

/** Elements are identified by their value; a new primary one replaces the former. */
function merged(before: readonly Resource[], added: readonly Resource[]): Resource[] {
  const byValue = new Map(before.map((element) => [keyOf(element), element]))
  if (added.some(({ primary }) => primary === true)) {
    for (const [key, element] of byValue) byValue.set(key, { ...element, primary: false })
  }
  for (const element of added) {
    const key = keyOf(element)
    byValue.set(key, { ...byValue.get(key), ...element })
  }
  return [...byValue.values()]
}

function keyOf({ value }: Resource): string {
  return String(value).toLowerCase()
}

/** Removes an attribute; a value names the elements to remove, as Microsoft Entra ID sends it for members. */
function removeValue(holder: Resource, attribute: Attribute, value: unknown): void {
  const isSome = attribute.multiValued === true && value !== undefined && value !== null
  if (!isSome) {
    setValue(holder, attribute, undefined)
    return
  }
  const read = readValue(attribute, value)
  const removed = new Set((Array.isArray(read) ? read : []).filter(isObject).map(keyOf))
  setValue(
    holder,
    attribute,
    elementsOf(holder, attribute).filter((element) => !removed.has(keyOf(element))),
  )
}

interface Change {
  readonly op: PatchOperation['op']
  readonly value: unknown
}

/** Changes a sub-attribute, in a multi-valued attribute that of all elements. */
function changeSub(holder: Resource, attribute: Attribute, sub: Attribute, change: Change): void {
  const read = change.op === 'remove' ? undefined : readSingle(sub, change.value)
  if (attribute.multiValued === true) {
    for (const element of elementsOf(holder, attribute)) setValue(element, sub, read)
    return
  }
  const before = holder[attribute.name]
  const inner: Resource = isObject(before) ? before : {}
  setValue(inner, sub, read)
  setValue(holder, attribute, Object.keys(inner).length === 0 ? undefined : inner)
}

/**
 * Changes the elements that a filter selects. Without any, adding creates one from the filter, as directories
 * expect of `emails[type eq "work"].value`; replacing throws ScimError (`noTarget`) if the filter names no values.
 */
function changeElements(
  holder: Resource,
  attribute: Attribute,
  { filter }: PatchPath,
  { op, value, sub }: Change & { readonly sub: Attribute | undefined },
): void {
  if (filter === undefined || attribute.multiValued !== true) {
    throw invalid('invalidPath', 'scim.invalid-path', { path: attribute.name })
  }
  const elements = elementsOf(holder, attribute)
  const selected = new Set(elements.filter((element) => matches(element, filter)))
  if (op === 'remove') {
    if (sub === undefined)
      setValue(
        holder,
        attribute,
        elements.filter((element) => !selected.has(element)),
      )
    else for (const element of selected) setValue(element, sub, undefined)
    return
  }
  const read = sub === undefined ? readSingle(attribute, value) : { [sub.name]: readSingle(sub, value) }
  if (!isObject(read)) return
  if (selected.size === 0) {
    const implied = impliedValues(filter)
    if (Object.keys(implied).length === 0) throw invalid('noTarget', 'scim.no-target')
    const made = readSingle(attribute, { ...implied, ...read })
    if (isObject(made)) setValue(holder, attribute, [...elements, made])
    return
  }
  for (const element of selected) Object.assign(element, read)
}

function elementsOf(holder: Resource, { name }: Attribute): Resource[] {
  const value = holder[name]
  return Array.isArray(value) ? value.filter(isObject) : []
}
