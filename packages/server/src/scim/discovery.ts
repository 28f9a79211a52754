import { maxBulkBytes, maxBulkOperations } from './bulk-limits.ts'
import { maxResults } from './list-query.ts'
import {
  type Attribute,
  commonAttributes,
  type Resource,
  type ResourceSchema,
  type ScimSchema,
} from './schemas/attribute.ts'
import { groupSchema } from './schemas/group-schema.ts'
import { userSchema } from './schemas/user-schema.ts'

const types: readonly ResourceSchema[] = [userSchema, groupSchema]

/** What the service supports, RFC 7643 §5. */
export function serviceProviderConfig(base: string): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: maxBulkOperations, maxPayloadSize: maxBulkBytes },
    filter: { supported: true, maxResults },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'API key',
        description: 'An API key with permission for directory sync, as a bearer token',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

/** The types of resources, RFC 7643 §6. */
export function listResourceTypes(base: string): Resource[] {
  return types.map(({ name, endpoint, core, extensions }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    schema: core.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))
}

/** The schemas, RFC 7643 §7. */
export function listSchemas(base: string): Resource[] {
  return types.flatMap(({ core, extensions }) => [
    presentSchema(
      core,
      base,
      commonAttributes.filter(({ name }) => name === 'externalId'),
    ),
    ...extensions.map((extension) => presentSchema(extension, base, [])),
  ])
}

function presentSchema(
  { id, name, attributes }: ScimSchema,
  base: string,
  common: readonly Attribute[],
): Resource {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    attributes: [...common, ...attributes].map(presentAttribute),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }
}

function presentAttribute(attribute: Attribute): Resource {
  const { subAttributes, type } = attribute
  return {
    name: attribute.name,
    type,
    multiValued: attribute.multiValued ?? false,
    required: attribute.required ?? false,
    caseExact: attribute.caseExact ?? type === 'reference',
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    uniqueness: attribute.uniqueness ?? 'none',
    ...(attribute.canonicalValues && { canonicalValues: attribute.canonicalValues }),
    ...(attribute.referenceTypes && { referenceTypes: attribute.referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(presentAttribute) }),
  }
}
