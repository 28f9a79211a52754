/** A request of a directory and what it expects. `{…}` is replaced, `$name` is the id of a created resource. */
export interface Step {
  readonly send: string
  readonly body?: unknown
  readonly status: number
  readonly expected?: unknown
  /** The name by which later steps refer to the resource. */
  readonly as?: string
}

const patch = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups */
export const entra: readonly Step[] = [
  // test connection: a user that doesn't exist
  {
    send: 'GET /Users?filter=userName+eq+%22a1b2c3d4-0000-4000-8000-000000000000%22',
    status: 200,
    expected: { totalResults: 0, Resources: [] },
  },
  { send: 'GET /Users?filter=userName eq "test.user@{domain}"', status: 200, expected: { totalResults: 0 } },
  {
    send: 'POST /Users',
    body: {
      schemas: [user, enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test.User@{domain}',
      active: true,
      addresses: [{ primary: false, type: 'work', country: 'CH', locality: 'Zurich' }],
      emails: [{ primary: true, type: 'work', value: 'test.user@{domain}' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'given family', familyName: 'family', givenName: 'given' },
      roles: [],
      title: 'Engineer',
    },
    status: 201,
    expected: { userName: 'test.user@{domain}', active: true, displayName: 'given family' },
    as: 'user',
  },
  { send: 'GET /Users/$user', status: 200, expected: { externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef' } },
  {
    send: 'PATCH /Users/$user',
    body: patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated.email@{domain}' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+41 44 555 55 55' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'CH' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Research' },
      { op: 'Add', path: `${enterprise}:employeeNumber`, value: '1234' },
    ),
    status: 200,
    expected: {
      userName: 'test.user@{domain}',
      name: { familyName: 'updatedFamilyName' },
      emails: [{ value: 'test.user@{domain}' }, { value: 'updated.email@{domain}' }],
      phoneNumbers: [{ value: '+41 44 555 55 55' }],
      [enterprise]: { department: 'Research' },
    },
  },
  // without the flag `aadOptscim062020`, several attributes are keys of one value, and booleans are texts
  {
    send: 'PATCH /Users/$user',
    body: patch({
      op: 'Add',
      value: { 'name.givenName': 'Other', active: 'True', [`${enterprise}:department`]: 'Sales' },
    }),
    status: 200,
    expected: { name: { givenName: 'Other' }, active: true, [enterprise]: { department: 'Sales' } },
  },
  {
    send: 'POST /Users',
    body: { schemas: [user], userName: 'boss@{domain}', displayName: 'The Boss', active: true },
    status: 201,
    expected: { name: { givenName: 'The', familyName: 'Boss' } },
    as: 'boss',
  },
  {
    send: 'PATCH /Users/$user',
    body: patch({ op: 'Add', path: `${enterprise}:manager`, value: '$boss' }),
    status: 200,
    expected: { [enterprise]: { manager: { value: '$boss' } } },
  },
  {
    send: 'PATCH /Users/$user',
    body: patch({ op: 'Remove', path: `${enterprise}:manager` }),
    status: 200,
    expected: { [enterprise]: { department: 'Sales' } },
  },
  {
    send: 'POST /Groups',
    body: {
      schemas: [group, 'urn:ietf:params:scim:schemas:extension:gatehouse:2.0:Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    expected: { displayName: 'displayName' },
    as: 'group',
  },
  { send: 'GET /Groups/$group?excludedAttributes=members', status: 200, expected: { id: '$group' } },
  {
    send: 'GET /Groups?excludedAttributes=members&filter=displayName eq "displayName"',
    status: 200,
    expected: { totalResults: 1, Resources: [{ id: '$group' }] },
  },
  {
    send: 'PATCH /Groups/$group',
    body: patch({ op: 'Replace', path: 'displayName', value: 'newDisplayName' }),
    status: 200,
    expected: { displayName: 'newDisplayName' },
  },
  {
    send: 'PATCH /Groups/$group',
    body: patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '$user' }] }),
    status: 200,
    expected: { members: [{ value: '$user' }] },
  },
  {
    send: 'GET /Groups?attributes=id&filter=id eq "$group" and members eq "$user"',
    status: 200,
    expected: { totalResults: 1 },
  },
  {
    send: 'PATCH /Groups/$group',
    body: patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '$user' }] }),
    status: 200,
    expected: { displayName: 'newDisplayName' },
  },
  { send: 'DELETE /Groups/$group', status: 204 },
  {
    send: 'PATCH /Users/$user',
    body: patch({ op: 'Replace', path: 'active', value: 'False' }),
    status: 200,
    expected: { active: false },
  },
  { send: 'DELETE /Users/$user', status: 204 },
]

/** https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20/ */
export const okta: readonly Step[] = [
  { send: 'GET /ServiceProviderConfig', status: 200, expected: { patch: { supported: true } } },
  { send: 'GET /Users?startIndex=1&count=2', status: 200, expected: { startIndex: 1, totalResults: 1 } },
  {
    send: 'GET /Users?filter=userName%20eq%20%22test.user%40{domain}%22&startIndex=1&count=100',
    status: 200,
    expected: { totalResults: 0, Resources: [] },
  },
  {
    send: 'POST /Users',
    body: {
      schemas: [user],
      userName: 'test.user@{domain}',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@{domain}', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    },
    status: 201,
    expected: { userName: 'test.user@{domain}', externalId: '00ujl29u0le5T6Aj10h7' },
    as: 'user',
  },
  { send: 'GET /Users/$user', status: 200, expected: { name: { givenName: 'Test' } } },
  {
    send: 'PUT /Users/$user',
    body: {
      schemas: [user],
      id: '$user',
      userName: 'test.user@{domain}',
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@{domain}', type: 'work', display: 'test.user@{domain}' }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    },
    status: 200,
    expected: { name: { givenName: 'Another' }, externalId: '00ujl29u0le5T6Aj10h7' },
  },
  {
    send: 'PATCH /Users/$user',
    body: patch({ op: 'replace', value: { active: false } }),
    status: 200,
    expected: { active: false },
  },
  {
    send: 'PATCH /Users/$user',
    body: patch({ op: 'replace', value: { active: true } }),
    status: 200,
    expected: { active: true },
  },
  { send: 'GET /Groups?startIndex=1&count=100', status: 200, expected: { totalResults: 0 } },
  {
    send: 'POST /Groups',
    body: { schemas: [group], displayName: 'Test SCIMv2', members: [] },
    status: 201,
    expected: { displayName: 'Test SCIMv2' },
    as: 'group',
  },
  {
    send: 'PATCH /Groups/$group',
    body: patch({ op: 'replace', value: { id: '$group', displayName: 'Test SCIMv2 renamed' } }),
    status: 200,
    expected: { displayName: 'Test SCIMv2 renamed' },
  },
  {
    send: 'PATCH /Groups/$group',
    body: patch({ op: 'add', path: 'members', value: [{ value: '$user', display: 'test.user@{domain}' }] }),
    status: 200,
    expected: { members: [{ value: '$user' }] },
  },
  {
    send: 'PATCH /Groups/$group',
    body: patch({ op: 'remove', path: 'members[value eq "$user"]' }),
    status: 200,
    expected: { displayName: 'Test SCIMv2 renamed' },
  },
  {
    send: 'PUT /Groups/$group',
    body: { schemas: [group], id: '$group', displayName: 'Test SCIMv2', members: [{ value: '$user' }] },
    status: 200,
    expected: { displayName: 'Test SCIMv2', members: [{ value: '$user' }] },
  },
  { send: 'DELETE /Groups/$group', status: 204 },
]

/** Keycloak's SCIM client sends whole resources, and finds them by its own id or by name. */
export const keycloak: readonly Step[] = [
  { send: 'GET /ServiceProviderConfig', status: 200, expected: { bulk: { supported: true } } },
  { send: 'GET /ResourceTypes', status: 200, expected: { totalResults: 2 } },
  { send: 'GET /Schemas', status: 200, expected: { totalResults: 4 } },
  {
    send: 'POST /Users',
    body: {
      schemas: [user],
      externalId: 'a5d3b1d8-5a2e-4b0a-9b58-0f4b8a3a6d11',
      userName: 'test.user@{domain}',
      name: { givenName: 'Test', familyName: 'User' },
      displayName: 'Test User',
      active: true,
      emails: [{ value: 'test.user@{domain}', primary: true }],
      roles: [],
    },
    status: 201,
    expected: { externalId: 'a5d3b1d8-5a2e-4b0a-9b58-0f4b8a3a6d11' },
    as: 'user',
  },
  {
    send: 'POST /Users/.search',
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'externalId eq "a5d3b1d8-5a2e-4b0a-9b58-0f4b8a3a6d11"',
    },
    status: 200,
    expected: { totalResults: 1, Resources: [{ id: '$user' }] },
  },
  {
    send: 'PUT /Users/$user',
    body: {
      schemas: [user],
      id: '$user',
      externalId: 'a5d3b1d8-5a2e-4b0a-9b58-0f4b8a3a6d11',
      userName: 'test.user@{domain}',
      name: { givenName: 'Changed', familyName: 'User' },
      active: false,
      emails: [{ value: 'test.user@{domain}', primary: true }],
    },
    status: 200,
    expected: { name: { givenName: 'Changed' }, active: false },
  },
  {
    send: 'POST /Groups',
    body: {
      schemas: [group],
      externalId: 'g-a5d3b1d8',
      displayName: 'developers',
      members: [{ value: '$user', $ref: 'Users/$user', type: 'User' }],
    },
    status: 201,
    expected: { members: [{ value: '$user' }] },
    as: 'group',
  },
  {
    send: 'PUT /Groups/$group',
    body: { schemas: [group], id: '$group', externalId: 'g-a5d3b1d8', displayName: 'developers' },
    status: 200,
    expected: { externalId: 'g-a5d3b1d8' },
  },
  { send: 'DELETE /Groups/$group', status: 204 },
  { send: 'DELETE /Users/$user', status: 204 },
]
