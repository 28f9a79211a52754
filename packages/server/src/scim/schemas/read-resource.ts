import { invalid } from '../errors.ts'
import { parseAttributePath } from '../filter/parse-filter.ts'
import {
  type Attribute,
  findAttribute,
  findIn,
  findSchema,
  isObject,
  type Resource,
  type ResourceSchema,
} from './attribute.ts'

/** Maximum characters of a string. */
const longest = 4096

/**
 * Reads a resource from a request: names in the spelling of the schema, values of the right types. What the
 * client can't set, and standard attributes that aren't stored, are left out. Throws ScimError.
 */
export function readResource(type: ResourceSchema, body: unknown): Resource {
  if (!isObject(body)) throw invalid('invalidSyntax', 'scim.not-an-object')
  requireSchemas(type, body)
  const resource: Resource = {}
  for (const [key, value] of Object.entries(body)) {
    const extension = findSchema(type, key)
    if (extension !== undefined && isObject(value)) {
      resource[extension.id] = readAttributes(extension.attributes, value)
      continue
    }
    const path = parseAttributePath(key)
    const place = path && findAttribute(type, path.urn, path.name)
    if (place === undefined || place === 'ignored' || path?.sub !== undefined) continue
    const read = isReadOnly(place.attribute) ? undefined : readValue(place.attribute, value)
    if (read !== undefined && place.extension === undefined) resource[place.attribute.name] = read
  }
  return resource
}

/** Reads the value of an attribute; undefined if it is empty. Throws ScimError (`invalidValue`). */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (attribute.multiValued !== true) return readSingle(attribute, value)
  const elements = Array.isArray(value) ? value : [value]
  return elements.map((element) => readSingle(attribute, element)).filter((read) => read !== undefined)
}

/** Reads one value of an attribute. */
export function readSingle(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (attribute.type === 'complex') return readComplex(attribute, value)
  if (attribute.type === 'boolean') return readBoolean(attribute, value)
  if (typeof value !== 'string' || value.length > longest) throw wrongValue(attribute)
  return value === '' ? undefined : value
}

export function isReadOnly({ mutability }: Attribute): boolean {
  return mutability === 'readOnly'
}

function readComplex(attribute: Attribute, value: unknown): Resource | undefined {
  // Microsoft Entra ID sends a manager or member as its id
  const value_ = typeof value === 'string' ? { value } : value
  if (!isObject(value_)) throw wrongValue(attribute)
  const read = readAttributes(attribute.subAttributes ?? [], value_)
  return Object.keys(read).length === 0 ? undefined : read
}

function readAttributes(attributes: readonly Attribute[], value: Resource): Resource {
  const read: Resource = {}
  for (const [key, part] of Object.entries(value)) {
    const attribute = findIn(attributes, key)
    if (attribute === undefined || isReadOnly(attribute)) continue
    const one = readValue(attribute, part)
    if (one !== undefined) read[attribute.name] = one
  }
  return read
}

/** Microsoft Entra ID sends booleans as text. */
function readBoolean(attribute: Attribute, value: unknown): boolean {
  const text = String(value).toLowerCase()
  if (text === 'true') return true
  if (text === 'false') return false
  throw wrongValue(attribute)
}

function wrongValue({ name }: Attribute) {
  return invalid('invalidValue', 'scim.wrong-value', { name })
}

/** The list of schemas must contain the resource's own and no unknown one. */
function requireSchemas(type: ResourceSchema, body: Resource): void {
  const key = Object.keys(body).find((name) => name.toLowerCase() === 'schemas')
  const sent = key === undefined ? undefined : body[key]
  if (!Array.isArray(sent)) throw invalid('invalidSyntax', 'scim.schemas-required', { schema: type.core.id })
  const found = sent.map((urn) => (typeof urn === 'string' ? findSchema(type, urn) : undefined))
  if (found.includes(undefined)) throw invalid('invalidValue', 'scim.unknown-schema')
  if (!found.includes(type.core))
    throw invalid('invalidSyntax', 'scim.schemas-required', { schema: type.core.id })
}
