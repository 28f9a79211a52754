import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, makeApiKey } from '../testing/borrowed.ts'
import { setStatus } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { groupUrn, listUrn } from './schemas/group-schema.ts'
import { enterpriseUrn, userUrn } from './schemas/user-schema.ts'
import { makeScimAccount, patchBody, request, type ScimAccount, userBody } from './testing/scim-account.ts'

const app = useTestApp({ API_KEY_RATE: '200' })
let account: ScimAccount
let id: string

beforeAll(async () => {
  account = await makeScimAccount(app())
  id = (await account.add('ann', { phoneNumbers: [{ value: '+41 44 1', type: 'work' }] })).id
})

const error = (status: number, scimType?: string) =>
  expect.objectContaining({
    status,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail: expect.stringMatching(/.{5}/),
    },
  })

describe('discovery', () => {
  test('describes the service, its types of resources and their schemas', async () => {
    const config = await account.scim('GET /ServiceProviderConfig')
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 200, maxPayloadSize: 2_097_152 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    const { body: types } = await account.scim('GET /ResourceTypes')
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/Users',
      '/Groups',
    ])
    const { body: schemas } = await account.scim('GET /Schemas')
    const ids = schemas.Resources.map((schema: { id: string }) => schema.id)
    expect(ids).toEqual([userUrn, enterpriseUrn, groupUrn, listUrn])
    for (const resource of [...types.Resources, ...schemas.Resources]) {
      const { pathname } = new URL(resource.meta.location)
      const one = await account.scim(`GET ${pathname.replace('/api/scim/v2', '')}`)
      expect(one).toMatchObject({ status: 200, body: resource })
    }
    expect(await account.scim('GET /Schemas/none')).toEqual(error(404))
    expect(await account.scim('GET /Schemas?filter=id%20pr')).toEqual(error(403))
  })
})

describe('a request', () => {
  test.each([
    ['GET /Me', undefined, 501, undefined],
    ['GET /Nothing', undefined, 404, undefined],
    ['POST /Nothing/else', {}, 404, undefined],
    ['POST /Users', '{"schemas":', 400, 'invalidSyntax'],
    ['POST /Users', '[]', 400, 'invalidSyntax'],
    ['POST /Users', { userName: 'a@b.test' }, 400, 'invalidSyntax'],
    ['POST /Users', { schemas: [enterpriseUrn], userName: 'a@b.test' }, 400, 'invalidSyntax'],
    ['POST /Users', { schemas: [userUrn, 'urn:unknown'], userName: 'a@b.test' }, 400, 'invalidValue'],
    ['POST /Users', { schemas: [userUrn] }, 400, 'invalidValue'],
    ['POST /Users', { schemas: [userUrn], userName: { a: 1 } }, 400, 'invalidValue'],
    ['POST /Users', { schemas: [userUrn], userName: 'a'.repeat(5000) }, 400, 'invalidValue'],
    ['POST /Users', { schemas: [userUrn], userName: 'a@b.test', active: 'maybe' }, 400, 'invalidValue'],
    ['POST /Users', { schemas: [userUrn], userName: 'a@b.test', emails: [3] }, 400, 'invalidValue'],
    ['POST /Groups', { schemas: [groupUrn] }, 400, 'invalidValue'],
    ['GET /Users?attributes=userName&count=abc', undefined, 200, undefined],
    ['GET /Users?sortBy=nothing', undefined, 400, 'invalidPath'],
    ['POST /Users/.search', `{"filter":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400, 'invalidValue'],
  ])('%s %j is answered with %i %s', async (route, body, status, scimType) => {
    const answer = await account.scim(route, body)
    if (status === 200) expect(answer.status).toBe(200)
    else expect(answer).toEqual(error(status, scimType))
  })

  test('is limited in size, and must be JSON', async () => {
    expect(await account.scim('POST /Users', `"${'a'.repeat(10_000_000)}"`)).toEqual(error(413))
    const text = await account.scim('POST /Users', 'a', { 'content-type': 'text/plain' })
    expect(text).toEqual(error(400))
    const json = await account.scim('POST /Users/.search', {}, { 'content-type': 'application/json' })
    expect(json.status).toBe(200)
  })

  test('for all types finds users and groups', async () => {
    const group = await account.scim('POST /Groups', { schemas: [groupUrn], displayName: 'Ann Lee' })
    const search = (body: Record<string, unknown>) => account.scim('POST /.search', body)
    const both = await search({ filter: 'displayName eq "ann lee"', attributes: ['displayName'] })
    expect(both.body.Resources.map((resource: { id: string }) => resource.id)).toEqual([id, group.body.id])
    const second = await search({ filter: 'displayName eq "ann lee"', startIndex: 2, count: 1 })
    expect(second.body).toMatchObject({ totalResults: 2, Resources: [{ id: group.body.id }] })
    expect((await search({ filter: 'userName sw "ann"' })).body.totalResults).toBe(1)
    expect(await search({ filter: 'nothing eq 1' })).toEqual(error(400, 'invalidFilter'))
  })
})

describe('a change', () => {
  const patch = (...operations: Record<string, unknown>[]) =>
    account.scim(`PATCH /Users/${id}`, patchBody(...operations))

  test.each([
    [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
    [{ op: 'replace', path: 'meta', value: {} }, 'mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: '1' }] }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', path: 'emails[type co "none"].value', value: 'a@b.test' }, 'noTarget'],
    [{ op: 'replace', path: 'unknown', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "work"', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "work"].unknown', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'name[familyName eq "Lee"].givenName', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: `${'('.repeat(3000)}`, value: 1 }, 'invalidPath'],
    [{ op: 'replace', value: { __proto__x: 1 } }, 'invalidPath'],
    [{ op: 'replace', value: 'text' }, 'invalidSyntax'],
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'name.familyName', value: ['a'] }, 'invalidValue'],
    [{ op: 'add', path: 'emails', value: [{ value: 'not an address' }] }, undefined],
    [{ op: 'add', path: 'name.middleName', value: 'Q' }, undefined],
    [{ op: 'add', path: 'title', value: 'Engineer' }, undefined],
  ])('%j is refused as %s', async (operation, scimType) => {
    const answer = await patch(operation)
    if (scimType === undefined) expect(answer.status).toBe(200)
    else expect(answer).toEqual(error(400, scimType))
  })

  test('is made of operations in the given order, all or nothing', async () => {
    const answer = await patch(
      { op: 'replace', path: 'name', value: { givenName: 'A' } },
      { op: 'add', path: 'name', value: { familyName: 'B' } },
      { op: 'add', path: `${enterpriseUrn}`, value: { department: 'C' } },
      { op: 'remove', path: 'phoneNumbers[type eq "work"]' },
    )
    expect(answer.body).toMatchObject({ displayName: 'A B', [enterpriseUrn]: { department: 'C' } })
    expect(answer.body.phoneNumbers).toBeUndefined()
    const failed = await patch(
      { op: 'replace', path: 'name.givenName', value: 'Other' },
      { op: 'replace', path: 'userName', value: `x@${account.domain}` },
    )
    expect(failed).toEqual(error(400, 'mutability'))
    expect((await account.scim(`GET /Users/${id}`)).body.displayName).toBe('A B')
  })

  test('must have the schema of changes and at most 1000 operations', async () => {
    const operation = { op: 'replace', path: 'active', value: true }
    const without = await account.scim(`PATCH /Users/${id}`, { schemas: [userUrn], Operations: [operation] })
    expect(without).toEqual(error(400, 'invalidSyntax'))
    expect(await patch(...Array.from({ length: 1001 }, () => operation))).toEqual(error(400, 'invalidSyntax'))
    expect(await patch()).toEqual(error(400, 'invalidSyntax'))
  })
})

describe('a key', () => {
  test('that was revoked or has expired is refused in the form of the protocol', async () => {
    const {
      id: keyId,
      key,
      token,
    } = await createKey(app(), account.owner, {
      kind: 'account',
      scopes: ['scim:write'],
    })
    expect((await request(app(), key, 'GET /Users')).status).toBe(200)
    await app().call(`DELETE /api/v4/api-keys/${keyId}`, { token })
    const revoked = await request(app(), key, 'GET /Users')
    expect(revoked).toEqual(error(401))
    expect(revoked.headers['www-authenticate']).toBe('Bearer')
    expect(await request(app(), undefined, 'GET /Users')).toEqual(error(401))
    const other = await makeApiKey(app(), account.owner, {
      kind: 'account',
      scopes: ['scim:write'],
      expires_at: '2026-03-10 12:01:00',
    })
    await app().database.db.updateTable('apiKeys').set({ expiresAt: app().clock.now() }).execute()
    expect(await request(app(), other, 'GET /Users')).toEqual(error(401))
    await app().database.db.updateTable('apiKeys').set({ expiresAt: null }).execute()
  })

  test('stops with its account', async () => {
    const stopped = await makeScimAccount(app())
    await setStatus(app(), stopped.owner, userStatus.active | userStatus.suspended)
    expect(await stopped.scim('GET /Users')).toEqual(error(403))
  })

  test('has a limited number of requests each minute', async () => {
    const { scim, domain } = await makeScimAccount(app())
    const body = userBody(`x@${domain}`)
    expect((await scim('POST /Users', body)).headers.ratelimit).toContain('r=199')
    let answer = await scim('GET /Me')
    for (let n = 0; answer.status !== 429 && n < 250; n += 1) answer = await scim('GET /Me')
    expect(answer).toEqual(error(429))
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})
