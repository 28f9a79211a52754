import { beforeAll, describe, expect, test } from 'vitest'
import { makeApiKey } from '../../testing/borrowed.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { suspendUser } from '../../users/account-state.ts'
import { enterpriseUrn, userUrn } from '../schemas/user-schema.ts'
import { makeScimAccount, patchBody, request, type ScimAccount, userBody } from '../testing/scim-account.ts'

const app = useTestApp({ API_KEY_RATE: '100000' })
let account: ScimAccount

beforeAll(async () => {
  account = await makeScimAccount(app())
})

const address = (name: string) => `${name}@${account.domain}`
const list = (filter: string) => account.scim(`GET /Users?filter=${encodeURIComponent(filter)}`)
const patch = (id: string, ...operations: Record<string, unknown>[]) =>
  account.scim(`PATCH /Users/${id}`, patchBody(...operations))

describe('a user', () => {
  test('is created with a package, address, names and the ids of the directory', async () => {
    const boss = await account.add('boss')
    const made = await account.scim('POST /Users', {
      ...userBody(address('Created'), {
        externalId: 'e-1',
        name: { givenName: 'Ann', familyName: 'Lee', formatted: 'ignored' },
        emails: [
          { value: address('created'), type: 'work', primary: true },
          { value: address('also'), type: 'work' },
          { value: 'ann@elsewhere.test', type: 'home' },
        ],
        phoneNumbers: [{ value: '+41 44 123 45 67', type: 'mobile' }],
        title: 'not stored',
      }),
      [enterpriseUrn]: { department: 'Sales', organization: 'Company', manager: { value: boss.id } },
    })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(made.body.meta.location)
    expect(made.headers.etag).toBe(made.body.meta.version)
    expect(made.body).toEqual({
      schemas: [userUrn, enterpriseUrn],
      id: expect.stringMatching(/^\d+$/),
      externalId: 'e-1',
      userName: address('created'),
      name: { formatted: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' },
      displayName: 'Ann Lee',
      active: true,
      emails: [
        { value: address('created'), type: 'work', primary: true },
        { value: address('also'), type: 'other', primary: false },
        { value: 'ann@elsewhere.test', type: 'home', primary: false },
      ],
      phoneNumbers: [{ value: '+41 44 123 45 67', type: 'work', primary: true }],
      [enterpriseUrn]: {
        department: 'Sales',
        organization: 'Company',
        manager: { value: boss.id, $ref: boss.meta.location, displayName: 'Ann Lee' },
      },
      meta: {
        resourceType: 'User',
        created: '2026-03-10T12:00:00.000Z',
        lastModified: '2026-03-10T12:00:00.000Z',
        location: expect.stringMatching(/\/api\/scim\/v2\/Users\/\d+$/),
        version: expect.stringMatching(/^W\/".+"$/),
      },
    })
    const read = await account.scim(`GET /Users/${made.body.id}`)
    expect(read).toMatchObject({ status: 200, body: made.body })
    expect(read.headers['content-type']).toBe('application/scim+json; charset=utf-8')
  })

  test('can’t have an address that exists, or one outside the confirmed domains of the account', async () => {
    await account.add('twice', { externalId: 'e-2' })
    const again = await account.scim('POST /Users', userBody(address('TWICE')))
    expect(again).toMatchObject({ status: 409, body: { status: '409', scimType: 'uniqueness' } })
    const sameId = await account.scim('POST /Users', userBody(address('other'), { externalId: 'e-2' }))
    expect(sameId).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    for (const userName of ['ann@elsewhere.test', 'ann', 'ann@example.test']) {
      const made = await account.scim('POST /Users', userBody(userName))
      expect(made).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    }
  })

  test('is created once by two simultaneous requests', async () => {
    const body = userBody(address('race'))
    const answers = await Promise.all([account.scim('POST /Users', body), account.scim('POST /Users', body)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409])
  })

  test('is replaced by PUT: omitted fields are cleared, apart from addresses, state and external id', async () => {
    const { id } = await account.add('put', {
      externalId: 'e-3',
      emails: [{ value: address('put-alias'), type: 'work' }],
      phoneNumbers: [{ value: '+41 44 000 00 00' }],
    })
    const body = { schemas: [userUrn], userName: address('put'), name: { familyName: 'Other' } }
    const put = await account.scim(`PUT /Users/${id}`, body)
    expect(put).toMatchObject({
      status: 200,
      body: { externalId: 'e-3', displayName: 'Other', active: true },
    })
    expect(put.body.phoneNumbers).toBeUndefined()
    expect(put.body.emails).toHaveLength(2)
    const emails = [{ value: address('put'), primary: true }]
    expect((await account.scim(`PUT /Users/${id}`, { ...body, emails })).body.emails).toHaveLength(1)
  })

  test('keeps userName and external address', async () => {
    const { id } = await account.add('fixed', { emails: [{ value: 'fixed@elsewhere.test' }] })
    const renamed = await patch(id, { op: 'replace', path: 'userName', value: address('renamed') })
    expect(renamed).toMatchObject({ status: 400, body: { scimType: 'mutability' } })
    const changed = await patch(id, {
      op: 'replace',
      path: 'emails[type eq "home"].value',
      value: 'attacker@elsewhere.test',
    })
    expect(changed.status).toBe(200)
    expect(changed.body.emails).toContainEqual(expect.objectContaining({ value: 'fixed@elsewhere.test' }))
  })

  test('is suspended and resumed with `active`, but not if the service suspended them', async () => {
    const { id } = await account.add('state')
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
    expect((await patch(id, { op: 'Replace', value: { active: true } })).body.active).toBe(true)
    await app()
      .database.db.transaction()
      .execute((trx) => suspendUser(trx, app().clock, Number(id), { actor: {}, reason: 'abuse' }))
    const resumed = await patch(id, { op: 'replace', path: 'active', value: true })
    expect(resumed).toMatchObject({
      status: 403,
      body: { detail: 'We suspended this user. Contact support.' },
    })
  })

  test('is deleted, and the address stays taken until it is released', async () => {
    const { id } = await account.add('gone', { externalId: 'e-gone' })
    expect(await account.scim(`DELETE /Users/${id}`)).toMatchObject({ status: 204, body: '' })
    expect((await account.scim(`GET /Users/${id}`)).status).toBe(404)
    expect((await account.scim(`DELETE /Users/${id}`)).status).toBe(404)
    const again = await account.scim('POST /Users', userBody(address('gone'), { externalId: 'e-gone' }))
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(again.body.detail).toContain('belongs to a deleted user')
    expect((await account.add('gone2', { externalId: 'e-gone' })).externalId).toBe('e-gone')
  })

  test('who owns the account can be neither suspended nor deleted', async () => {
    const { id } = account.owner
    expect((await account.scim(`DELETE /Users/${id}`)).status).toBe(403)
    expect((await patch(String(id), { op: 'replace', path: 'active', value: false })).status).toBe(403)
  })

  test('of another account doesn’t exist', async () => {
    const other = await makeScimAccount(app())
    const { id } = await other.add('foreign')
    for (const route of [`GET /Users/${id}`, `DELETE /Users/${id}`]) {
      expect(await account.scim(route)).toMatchObject({ status: 404, body: { status: '404' } })
    }
    expect((await patch(id, { op: 'replace', path: 'active', value: false })).status).toBe(404)
    expect((await list(`id eq "${id}"`)).body.totalResults).toBe(0)
    const manager = await account.scim('POST /Users', {
      ...userBody(address('managed')),
      [enterpriseUrn]: { manager: { value: id } },
    })
    expect(manager).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })
})

describe('versions', () => {
  test('are compared by If-Match and If-None-Match', async () => {
    const { id, meta } = await account.add('version')
    const read = (header: string) => account.scim(`GET /Users/${id}`, undefined, { 'if-none-match': header })
    expect(await read(meta.version)).toMatchObject({ status: 304, body: '' })
    const change = (ifMatch: string, familyName: string) =>
      account.scim(
        `PATCH /Users/${id}`,
        patchBody({ op: 'replace', path: 'name.familyName', value: familyName }),
        {
          'if-match': ifMatch,
        },
      )
    const both = await Promise.all([change(meta.version, 'One'), change(meta.version, 'Two')])
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412])
    expect((await read(meta.version)).status).toBe(200)
    expect((await change('*', 'Three')).status).toBe(200)
    expect((await account.scim(`DELETE /Users/${id}`, undefined, { 'if-match': meta.version })).status).toBe(
      412,
    )
  })

  test('stay the same if nothing changes', async () => {
    const { id, meta } = await account.add('same')
    const same = await patch(id, { op: 'replace', path: 'displayName', value: 'Somebody' })
    expect(same.body.meta).toEqual(meta)
  })
})

describe('lists', () => {
  beforeAll(async () => {
    account = await makeScimAccount(app())
    await account.add('ann', { externalId: 'X1', emails: [{ value: address('ann.alias') }] })
    await account.add('bob', { name: { givenName: 'Bob', familyName: 'O"Neill' }, active: false })
    await account.add('carl', { [enterpriseUrn]: { department: 'Sales' } })
  })

  const names = async (filter: string): Promise<string[]> => {
    const { body } = await list(filter)
    return body.Resources.map(({ userName }: { userName: string }) => userName.split('@')[0]).sort()
  }

  test.each([
    ['userName eq "ANN@{domain}"', ['ann']],
    ['USERNAME Eq "ann@{domain}"', ['ann']],
    [`${userUrn}:userName sw "b" and active eq false`, ['bob']],
    ['externalId eq "X1"', ['ann']],
    ['externalId eq "x1"', []],
    ['externalId pr', ['ann']],
    ['emails.value eq "ann.alias@{domain}"', ['ann']],
    ['emails[type eq "work" and value co "carl"]', ['carl']],
    ['emails eq "carl@{domain}"', ['carl']],
    ['emails.type eq "other"', ['ann']],
    ['name.familyName eq "O\\"Neill"', ['bob']],
    ['userName ew "@{domain}" and not (active eq "True")', ['bob']],
    ['(userName sw "ann" or userName sw "carl") and active eq true', ['ann', 'carl']],
    ['department eq "sales"', ['carl']],
    [`${enterpriseUrn}:department eq "Sales"`, ['carl']],
    ['userName sw "bob" and meta.created ge "2026-03-10T12:00:00Z"', ['bob']],
    ['userName gt "b" and userName lt "c"', ['bob']],
    ['userName ne "x" and displayName co "ann l" and externalId ne null', ['ann']],
    ['userName eq "\' or true --"', []],
    ['userName co "\\u0000"', []],
  ])('are filtered by %s', async (filter, expected) => {
    expect(await names(filter.replace('{domain}', account.domain))).toEqual(expected)
  })

  test.each([
    'userName',
    'userName eq',
    'userName eq ann',
    'userName eq "a',
    'userName xx "a"',
    '(userName eq "a"',
    'userName eq "a")',
    'userName eq "a" and',
    'password eq "a"',
    'groups.value eq "1"',
    'unknown eq "a"',
    'urn:unknown:userName eq "a"',
    'active gt true',
    'active eq "maybe"',
    'meta.created gt "yesterday"',
    'userName eq 1',
    'userName eq {"a":1}',
    'userName[value eq "a"]',
    'emails[unknown eq "a"]',
    `${'('.repeat(1000)}userName eq "a"${')'.repeat(1000)}`,
    `userName eq "a"${' or userName eq "a"'.repeat(1000)}`,
    `userName eq "a"${' or userName eq "a"'.repeat(100)}`,
    `userName eq "${'a'.repeat(5000)}"`,
    `userName eq "${'\\\\'.repeat(2000)}`,
  ])('reject the filter %#', async (filter) => {
    const answer = await account.scim('POST /Users/.search', { filter })
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
  })

  test('are sorted and split into pages', async () => {
    const page = async (query: string) => {
      const { body } = await account.scim(`GET /Users?filter=${encodeURIComponent('emails pr')}&${query}`)
      return {
        ...body,
        Resources: body.Resources.map((user: { userName: string }) => user.userName.split('@')[0]),
      }
    }
    const own = account.owner.email.split('@')[0]
    expect(await page('sortBy=userName&startIndex=2&count=2')).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 4,
      startIndex: 2,
      itemsPerPage: 2,
      Resources: ['bob', 'carl'],
    })
    expect((await page('sortBy=username&sortOrder=descending')).Resources).toEqual([
      own,
      'carl',
      'bob',
      'ann',
    ])
    expect(await page('count=0')).toMatchObject({ totalResults: 4, itemsPerPage: 0 })
    expect(await page('startIndex=-5&count=-1')).toMatchObject({ startIndex: 1, itemsPerPage: 0 })
    expect(await page('startIndex=100')).toMatchObject({ totalResults: 4, Resources: [] })
    expect((await account.scim('GET /Users?sortBy=emails')).body).toMatchObject({ scimType: 'invalidPath' })
  })

  test('contain the wanted attributes', async () => {
    const { body } = await list('externalId eq "X1"')
    const [{ id }] = body.Resources
    const only = await account.scim(
      `GET /Users/${id}?attributes=username,name.familyName,emails.value,unknown`,
    )
    expect(only.body).toEqual({
      schemas: [userUrn],
      id,
      userName: address('ann'),
      name: { familyName: 'Lee' },
      emails: [{ value: address('ann') }, { value: address('ann.alias') }],
    })
    const without = await account.scim(`GET /Users/${id}?excludedAttributes=id,meta,emails,name.formatted`)
    expect(Object.keys(without.body)).toEqual([
      'schemas',
      'id',
      'externalId',
      'userName',
      'name',
      'displayName',
      'active',
    ])
    expect(without.body.name).toEqual({ givenName: 'Ann', familyName: 'Lee' })
  })
})

describe('the price', () => {
  test('must stay within the ceiling of the account', async () => {
    const limited = await makeScimAccount(app())
    await limited.add('first')
    const token = (await signInAs(app(), limited.owner)).access_token
    const limit = await app().call(`PUT /api/v4/wallets/${limited.owner.walletId}/settings`, {
      token,
      body: { monthly_ceiling: 1 },
    })
    expect(limit.status).toBe(200)
    const refused = await limited.scim('POST /Users', userBody(`second@${limited.domain}`))
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toMatch(/CHF/)
    expect((await limited.scim('GET /Users')).body.totalResults).toBe(2)
  })

  test('is that of the cheapest package unless the directory names another', async () => {
    const { db } = app().database
    const [cheapest, other] = await Promise.all([
      account.add('cheap'),
      account.add('costly', { entitlements: [{ value: 'kolab' }] }),
    ])
    const unitsOf = async ({ id }: { id: string }) => {
      const query = db.selectFrom('entitlements as e').innerJoin('skus as k', 'k.id', 'e.skuId')
      const rows = await query.select('k.title').where('e.objectId', '=', Number(id)).execute()
      return rows.map(({ title }) => title)
    }
    expect(await unitsOf(cheapest)).not.toContain('groupware')
    expect(await unitsOf(other)).toContain('groupware')
    const made = await account.scim(
      'POST /Users',
      userBody(address('wrong'), { entitlements: [{ value: 'none' }] }),
    )
    expect(made).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })
})

describe('access', () => {
  test('needs an API key with the scope', async () => {
    const { owner } = account
    const session = (await signInAs(app(), owner)).access_token
    const others = await makeApiKey(app(), owner, { kind: 'account', scopes: ['users:write'] })
    const member = await makeUser(app(), { walletId: owner.walletId })
    const personal = await makeApiKey(app(), member, { scopes: ['scim:write'] })
    const reading = await makeApiKey(app(), owner, { kind: 'account', scopes: ['scim:read'] })
    for (const [token, status] of [
      [undefined, 401],
      ['gh_unknown', 401],
      [session, 401],
      [others, 403],
      [personal, 403],
      [reading, 200],
    ] as const) {
      const answer = await request(app(), token, 'GET /Users')
      expect(answer.status).toBe(status)
      const errors = ['urn:ietf:params:scim:api:messages:2.0:Error']
      if (status !== 200) expect(answer.body).toMatchObject({ schemas: errors, status: String(status) })
    }
    expect((await request(app(), reading, 'POST /Users', { body: userBody(address('no')) })).status).toBe(403)
  })

  test('is recorded with the name of the key', async () => {
    const { id } = await account.add('logged')
    await patch(id, { op: 'replace', path: 'name.givenName', value: 'Other' })
    const token = (await signInAs(app(), account.owner)).access_token
    const { body } = await app().call(`GET /api/v4/users/${id}/events`, { token })
    expect(body.list).toHaveLength(2)
    for (const entry of body.list) expect(JSON.stringify(entry)).toContain('Entra')
  })
})
