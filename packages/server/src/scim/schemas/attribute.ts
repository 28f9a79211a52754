/** An attribute of a resource, RFC 7643 §7. */
export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime'
  readonly multiValued?: true
  readonly required?: true
  readonly caseExact?: true
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly'
  readonly returned?: 'always' | 'never' | 'default'
  readonly uniqueness?: 'none' | 'server'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

/** A schema with its attributes. */
export interface ScimSchema {
  readonly id: string
  readonly name: string
  readonly attributes: readonly Attribute[]
}

/** A type of resource with its schemas. */
export interface ResourceSchema {
  readonly name: 'User' | 'Group'
  readonly endpoint: string
  readonly core: ScimSchema
  readonly extensions: readonly ScimSchema[]
  /** Standard attributes that the product doesn't store: they are accepted and ignored. */
  readonly ignored: ReadonlySet<string>
}

/** A resource, or a part of one, as JSON. Names are spelled as in the schema. */
export type Resource = Record<string, unknown>

/** Attributes of every resource, RFC 7643 §3.1. */
export const commonAttributes: readonly Attribute[] = [
  {
    name: 'schemas',
    type: 'reference',
    multiValued: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
  },
  {
    name: 'id',
    type: 'string',
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  },
  { name: 'externalId', type: 'string', caseExact: true },
  {
    name: 'meta',
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      { name: 'resourceType', type: 'string', caseExact: true, mutability: 'readOnly' },
      { name: 'created', type: 'dateTime', mutability: 'readOnly' },
      { name: 'lastModified', type: 'dateTime', mutability: 'readOnly' },
      { name: 'location', type: 'reference', caseExact: true, mutability: 'readOnly' },
      { name: 'version', type: 'string', caseExact: true, mutability: 'readOnly' },
    ],
  },
]

/** Finds an attribute by its name, in any case. */
export function findIn(attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined {
  const wanted = name.toLowerCase()
  return attributes?.find((attribute) => attribute.name.toLowerCase() === wanted)
}

/** A place in a resource: an attribute of the core schema or of an extension. */
export interface Place {
  /** URN of the extension; undefined: the core schema. */
  readonly extension: string | undefined
  readonly attribute: Attribute
}

/**
 * Finds an attribute by a name that may begin with the URN of its schema. `ignored`: standard attributes that
 * aren't stored. Undefined: unknown.
 */
export function findAttribute(
  type: ResourceSchema,
  urn: string | undefined,
  name: string,
): Place | 'ignored' | undefined {
  const schema = urn === undefined ? type.core : findSchema(type, urn)
  if (schema === undefined) return undefined
  const isCore = schema === type.core
  const attribute = findIn(schema.attributes, name) ?? (isCore ? findIn(commonAttributes, name) : undefined)
  if (attribute !== undefined) return { extension: isCore ? undefined : schema.id, attribute }
  return type.ignored.has(name.toLowerCase()) ? 'ignored' : undefined
}

/** Finds a schema of a resource by its URN, in any case. */
export function findSchema(type: ResourceSchema, urn: string): ScimSchema | undefined {
  const wanted = urn.toLowerCase()
  return [type.core, ...type.extensions].find(({ id }) => id.toLowerCase() === wanted)
}

/** Returns the object that contains a place; undefined if the resource has no such extension. */
export function holderOf(resource: Resource, { extension }: Place): Resource | undefined {
  return extension === undefined ? resource : objectIn(resource, extension)
}

/** Returns an object in a resource; undefined if it has none. */
export function objectIn(resource: Resource, name: string): Resource | undefined {
  const value = resource[name]
  return isObject(value) ? value : undefined
}

export function isObject(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
