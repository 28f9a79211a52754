import type { ResourceSchema } from './attribute.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Users, RFC 7643 §4.1 and §4.3. */
export const userSchema: ResourceSchema = {
  name: 'User',
  endpoint: '/Users',
  core: {
    id: userUrn,
    name: 'User',
    attributes: [
      { name: 'userName', type: 'string', required: true, mutability: 'immutable', uniqueness: 'server' },
      {
        name: 'name',
        type: 'complex',
        subAttributes: [
          { name: 'formatted', type: 'string', mutability: 'readOnly' },
          { name: 'familyName', type: 'string' },
          { name: 'givenName', type: 'string' },
        ],
      },
      { name: 'displayName', type: 'string' },
      { name: 'active', type: 'boolean' },
      {
        name: 'emails',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string' },
          { name: 'type', type: 'string', canonicalValues: ['work', 'home', 'other'] },
          { name: 'primary', type: 'boolean' },
        ],
      },
      {
        name: 'phoneNumbers',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string' },
          { name: 'type', type: 'string', canonicalValues: ['work', 'mobile', 'fax', 'home', 'other'] },
          { name: 'primary', type: 'boolean' },
        ],
      },
      {
        name: 'entitlements',
        type: 'complex',
        multiValued: true,
        mutability: 'writeOnly',
        returned: 'never',
        subAttributes: [
          { name: 'value', type: 'string', mutability: 'writeOnly', returned: 'never' },
          { name: 'type', type: 'string', mutability: 'writeOnly', returned: 'never' },
        ],
      },
      {
        name: 'groups',
        type: 'complex',
        multiValued: true,
        mutability: 'readOnly',
        subAttributes: [
          { name: 'value', type: 'string', mutability: 'readOnly' },
          { name: '$ref', type: 'reference', mutability: 'readOnly', referenceTypes: ['Group'] },
          { name: 'display', type: 'string', mutability: 'readOnly' },
          { name: 'type', type: 'string', mutability: 'readOnly', canonicalValues: ['direct'] },
        ],
      },
    ],
  },
  extensions: [
    {
      id: enterpriseUrn,
      name: 'EnterpriseUser',
      attributes: [
        { name: 'organization', type: 'string' },
        { name: 'department', type: 'string' },
        {
          name: 'manager',
          type: 'complex',
          subAttributes: [
            { name: 'value', type: 'string', caseExact: true },
            { name: '$ref', type: 'reference', mutability: 'readOnly', referenceTypes: ['User'] },
            { name: 'displayName', type: 'string', mutability: 'readOnly' },
          ],
        },
      ],
    },
  ],
  ignored: new Set(
    [
      'nickName',
      'profileUrl',
      'title',
      'userType',
      'preferredLanguage',
      'locale',
      'timezone',
      'password',
      'ims',
      'photos',
      'addresses',
      'roles',
      'x509Certificates',
      'employeeNumber',
      'costCenter',
      'division',
    ].map((name) => name.toLowerCase()),
  ),
}
