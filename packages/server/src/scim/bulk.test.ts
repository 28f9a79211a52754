import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '../testing/test-app.ts'
import { bulkSchema } from './bulk.ts'
import { groupUrn } from './schemas/group-schema.ts'
import { makeScimAccount, patchBody, type ScimAccount, userBody } from './testing/scim-account.ts'

const app = useTestApp({ API_KEY_RATE: '100000' })
let account: ScimAccount

beforeAll(async () => {
  account = await makeScimAccount(app())
})

const address = (name: string) => `${name}@${account.domain}`
const bulk = (Operations: unknown[], more: Record<string, unknown> = {}) =>
  account.scim('POST /Bulk', { schemas: [bulkSchema], Operations, ...more })
const creation = (name: string, bulkId = name) => ({
  method: 'POST',
  path: '/Users',
  bulkId,
  data: userBody(address(name)),
})
const group = (displayName: string, ...members: string[]) => ({
  method: 'POST',
  path: '/Groups',
  bulkId: displayName,
  data: { schemas: [groupUrn], displayName, members: members.map((value) => ({ value })) },
})
const statuses = ({ body }: { body: { Operations: { status: string }[] } }) =>
  body.Operations.map(({ status }) => status)

describe('bulk requests', () => {
  test('create resources that refer to each other in any order, and report locations and versions', async () => {
    const answer = await bulk([group('Team', 'bulkId:one', 'bulkId:two'), creation('one'), creation('two')])
    expect(answer.body.Operations).toEqual(
      ['one', 'two', 'Team'].map((bulkId) => ({
        method: 'POST',
        bulkId,
        location: expect.stringMatching(/\/(Users|Groups)\/\d+$/),
        version: expect.stringMatching(/^W\//),
        status: '201',
      })),
    )
    const { body } = await account.scim('GET /Groups?filter=displayName%20eq%20%22team%22')
    expect(body.Resources[0].members).toHaveLength(2)
  })

  test('change and delete, also what they have just created', async () => {
    const { id, meta } = await account.add('existing')
    const answer = await bulk([
      creation('fresh'),
      {
        method: 'patch',
        path: '/Users/bulkId:fresh',
        data: patchBody({ op: 'add', path: 'externalId', value: 'b' }),
      },
      { method: 'PUT', path: `/Users/${id}`, version: 'W/"old"', data: userBody(address('existing')) },
      { method: 'DELETE', path: `/Users/${id}`, version: meta.version },
    ])
    expect(statuses(answer)).toEqual(['201', '200', '412', '204'])
    expect((await account.scim(`GET /Users/${id}`)).status).toBe(404)
  })

  test('stop after the given number of errors', async () => {
    const answer = await bulk([creation('existing2'), creation('existing2', 'again'), creation('never')], {
      failOnErrors: 1,
    })
    expect(statuses(answer)).toEqual(['201', '409'])
    expect(answer.body.Operations[1].response).toMatchObject({ status: '409', scimType: 'uniqueness' })
  })

  test('refuse references that are circular or missing', async () => {
    const answer = await bulk([group('A', 'bulkId:B'), group('B', 'bulkId:A'), group('C', 'bulkId:none')])
    expect(statuses(answer)).toEqual(['409', '409', '409'])
  })

  test.each([
    ['no operations', []],
    ['an unknown path', [{ method: 'DELETE', path: '/Schemas/x' }]],
    ['a creation without bulkId', [{ method: 'POST', path: '/Users', data: {} }]],
    ['an unknown method', [{ method: 'GET', path: '/Users/1' }]],
  ])('are refused with %s', async (_, operations) => {
    expect(await bulk(operations)).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
  })

  test('are limited in operations and size', async () => {
    const many = Array.from({ length: 201 }, () => ({ method: 'DELETE', path: '/Users/1' }))
    expect((await bulk(many)).status).toBe(413)
    const large = await account.scim('POST /Bulk', JSON.stringify({ text: 'a'.repeat(10_000_000) }))
    expect(large).toMatchObject({ status: 413, body: { status: '413' } })
  })
})
