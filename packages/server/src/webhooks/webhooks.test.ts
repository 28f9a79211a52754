import { maxWebhooks } from '@gatehouse/contract/webhooks/webhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { commandLine } from '../testing/command-line.ts'
import { deleteUser } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app)
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const wanted = { name: 'CRM', url: 'https://hooks.example.org/in?key=1', types: ['user.created'] }
const create = (facts = {}) => account.as('owner', 'POST /api/v4/webhooks', { ...wanted, ...facts })
const list = async () => (await account.as('owner', 'GET /api/v4/webhooks')).body.list

const storedSecrets = async () =>
  (await app().database.pool.query('select secret from webhooks')).rows.map(({ secret }) => String(secret))

describe('webhooks', () => {
  test('are listed without their secret, which is stored encrypted', async () => {
    const { status, body } = await create()
    expect(status).toBe(200)
    expect(await list()).toEqual([
      {
        ...{ id: body.id, ...wanted, created_at: expect.any(String) },
        ...{ paused: null, failingSince: null, previousUntil: null },
      },
    ])
    expect((await storedSecrets()).join()).not.toContain(body.secret)
  })

  test.each([
    ['http://hooks.example.org/', 'url'],
    ['https://10.0.0.1/', 'url'],
    ['https://localhost/', 'url'],
    ['https://u:p@hooks.example.org/', 'url'],
    ['no url', 'url'],
  ])('can’t send to %s', async (url, field) => {
    const { status, body } = await create({ url })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('have known types only', async () => {
    const { status } = await create({ types: ['user.creatd'] })
    expect(status).toBe(422)
  })

  test('are limited in number', async () => {
    for (let n = 0; n < maxWebhooks; n++) expect((await create()).status).toBe(200)
    expect(Object.keys((await create()).body.errors)).toEqual(['name'])
  })

  test('are changed and deleted, which the activity shows without the path of the URL', async () => {
    const { id } = (await create()).body
    const change = { url: 'https://other.example.org/secret', types: [] }
    expect((await account.as('owner', `PUT /api/v4/webhooks/${id}`, change)).status).toBe(200)
    expect(await list()).toMatchObject([{ name: 'CRM', ...change }])
    expect((await account.as('owner', `DELETE /api/v4/webhooks/${id}`)).status).toBe(200)
    expect(await list()).toEqual([])
    const { body } = await account.as('owner', 'GET /api/v4/events?event=webhook.')
    expect(body.list.map(({ event }: { event: string }) => event)).toEqual([
      'webhook.deleted',
      'webhook.updated',
      'webhook.created',
    ])
    expect(JSON.stringify(body.list)).not.toContain('/secret')
  })

  test('of another account don’t exist', async () => {
    const { id } = (await create()).body
    const other = await makeAccount(app())
    for (const route of [`PUT /api/v4/webhooks/${id}`, `POST /api/v4/webhooks/${id}/pause`]) {
      expect((await other.as('owner', route, {})).status).toBe(404)
    }
    expect((await other.as('owner', `GET /api/v4/webhooks/${id}/deliveries`)).status).toBe(404)
  })

  test('are deleted with the owner, and not with another user', async () => {
    await create()
    await deleteUser(app(), account.member)
    expect(await list()).toHaveLength(1)
    const before = (await storedSecrets()).length
    await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)
    await app().jobs.drain()
    expect(await storedSecrets()).toHaveLength(before - 1)
  })
})

describe('an operator', () => {
  test('lists, pauses, resumes and replays webhooks', async () => {
    const { id } = (await create()).body
    expect(await run('webhook:list', account.owner.email)).toEqual([
      `${id}  active  0 pending  CRM  hooks.example.org`,
    ])
    await run('webhook:pause', id)
    expect(await list()).toMatchObject([{ paused: { reason: 'operator' } }])
    await run('webhook:resume', id)
    expect(await list()).toMatchObject([{ paused: null }])
    expect(await run('webhook:replay', id, '2026-03-01')).toEqual(['Done.'])
    await expect(run('webhook:replay', id, 'yesterday')).rejects.toThrow('The date must be like')
    await expect(run('webhook:pause', 'x')).rejects.toThrow('There is no webhook x.')
  })
})
