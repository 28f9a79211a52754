import type { ResourceSchema } from './attribute.ts'

export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
/** Our extension of groups: the address of the distribution list. */
export const listUrn = 'urn:ietf:params:scim:schemas:extension:gatehouse:2.0:Group'

/** Distribution lists as groups, RFC 7643 §4.2. */
export const groupSchema: ResourceSchema = {
  name: 'Group',
  endpoint: '/Groups',
  core: {
    id: groupUrn,
    name: 'Group',
    attributes: [
      { name: 'displayName', type: 'string', required: true, uniqueness: 'server' },
      {
        name: 'members',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string', caseExact: true, mutability: 'immutable' },
          { name: '$ref', type: 'reference', mutability: 'immutable', referenceTypes: ['User', 'Group'] },
          { name: 'type', type: 'string', mutability: 'immutable', canonicalValues: ['User', 'Group'] },
          { name: 'display', type: 'string', mutability: 'readOnly' },
        ],
      },
    ],
  },
  extensions: [
    {
      id: listUrn,
      name: 'DistributionList',
      attributes: [{ name: 'email', type: 'string', mutability: 'immutable', uniqueness: 'server' }],
    },
  ],
  ignored: new Set(),
}
