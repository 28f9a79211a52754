import { beforeAll, describe, expect, test } from 'vitest'
import {
  type MadeUser,
  makeController,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
} from '../testing/factories.ts'
import { makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'
import { readCatalogue } from './catalogue/catalogue-file.ts'
import { loadCatalogue } from './catalogue/catalogue-store.ts'
import { changeSubscriptions } from './change-subscriptions.ts'

const app = useTestApp()
let owner: MadeUser
let member: MadeUser
let token = ''
let memberToken = ''

const titles = (body: { title: string }[]) => body.map((item) => item.title)

beforeAll(async () => {
  owner = await makeUser(app(), { plan: 'group' })
  member = await makeUser(app(), { walletId: owner.walletId })
  token = (await signInAs(app(), owner)).access_token
  memberToken = (await signInAs(app(), member)).access_token
})

describe('the SKUs on sale', () => {
  test('are sorted by priority, then title', async () => {
    const { status, body } = await app().call('GET /api/v4/skus', { token })
    expect(status).toBe(200)
    expect(titles(body)).toEqual([
      'mailbox',
      'storage',
      'groupware',
      'activesync',
      '2fa',
      'room',
      'domain-hosting',
      'group',
      'group-room',
      'resource',
      'shared-folder',
    ])
    for (const sku of body) expect(sku).not.toHaveProperty('nextCost')
  })

  test('match the reference exactly', async () => {
    const { body } = await app().call('GET /api/v4/skus', { token })
    const sku = (title: string) => body.find((item: { title: string }) => item.title === title)
    expect(sku('storage')).toEqual({
      id: expect.any(String),
      title: 'storage',
      name: 'Storage',
      description: 'One gigabyte for mail and files. The first five are included.',
      cost: 25,
      units_free: 5,
      period: 'monthly',
      active: 1,
      type: 'user',
      handler: 'Storage',
      readonly: true,
      enabled: true,
      prio: 90,
      range: { min: 5, max: 100, unit: 'GB' },
    })
    expect(sku('activesync')).toMatchObject({ required: ['Groupware'], readonly: false, enabled: false })
    expect(sku('2fa')).toMatchObject({ forbidden: ['Activesync'], prio: 60 })
    expect(sku('group-room')).toMatchObject({ exclusive: ['Room'], controllerOnly: true, type: 'room' })
    expect(sku('shared-folder')).toMatchObject({ type: 'sharedFolder', readonly: true })
  })

  test.each([
    ['user', ['mailbox', 'storage', 'groupware', 'activesync', '2fa']],
    ['domain', ['domain-hosting']],
    ['group', ['group']],
    ['resource', ['resource']],
    ['sharedFolder', ['shared-folder']],
    ['room', ['room', 'group-room']],
  ])('of type %s have the price of the next one', async (type, expected) => {
    const { body } = await app().call(`GET /api/v4/skus?type=${type}`, { token })
    expect(titles(body)).toEqual(expected)
    for (const sku of body) expect(sku.nextCost).toBe(sku.units_free > 0 ? 0 : sku.cost)
  })

  test("have the full price once the account's free units are taken", async () => {
    const rich = await makeUser(app(), { plan: 'group' })
    await makeDomain(app(), 'first.test', { walletId: rich.walletId })
    const { access_token } = await signInAs(app(), rich)
    const domains = await app().call('GET /api/v4/skus?type=domain', { token: access_token })
    expect(domains.body).toMatchObject([{ cost: 100, nextCost: 100 }])
    // free storage is counted per user
    const { body } = await app().call('GET /api/v4/skus?type=user', { token: access_token })
    expect(body[1]).toMatchObject({ title: 'storage', nextCost: 0 })
  })

  test.each(['folder', 'User', '1', 'user&type=room'])('of no type that there is: %s', async (type) => {
    const { status, body } = await app().call(`GET /api/v4/skus?type=${type}`, { token })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['type'])
  })

  test.each([
    ['de', 'Postfach', 'Groupware-Konto'],
    ['fr', 'Boîte aux lettres', 'Compte collecticiel'],
    ['it', 'Casella di posta', 'Account groupware'],
    ['en', 'Mailbox', 'Groupware account'],
  ])('are named in %s', async (language, mailbox, kolab) => {
    const headers = { 'accept-language': language }
    const skus = await app().call('GET /api/v4/skus', { token, headers })
    expect(skus.body[0].name).toBe(mailbox)
    const packages = await app().call('GET /api/v4/packages', { token, headers })
    expect(packages.body[1].name).toBe(kolab)
    const own = await app().call(`GET /api/v4/users/${owner.id}/skus`, { token, headers })
    expect(own.body[0].name).toBe(mailbox)
  })
})

describe('the packages', () => {
  test('have price and kind, sorted by title', async () => {
    const { status, body } = await app().call('GET /api/v4/packages', { token })
    expect(status).toBe(200)
    expect(
      body.map((item: { title: string; cost: number; isDomain: boolean }) => [
        item.title,
        item.cost,
        item.isDomain,
      ]),
    ).toEqual([
      ['domain-hosting', 0, true],
      ['kolab', 990, false],
      ['lite', 500, false],
    ])
    expect(Object.keys(body[0]).sort()).toEqual([
      'cost',
      'description',
      'id',
      'isDomain',
      'name',
      'title',
      'yearCost',
    ])
  })
})

describe("a user's SKUs", () => {
  test('are the user SKUs on sale', async () => {
    const { status, body } = await app().call(`GET /api/v4/users/${member.id}/skus`, { token })
    expect(status).toBe(200)
    expect(titles(body)).toEqual(['mailbox', 'storage', 'groupware', 'activesync', '2fa'])
    expect(body[0]).not.toHaveProperty('nextCost')
  })

  test('can be read by the user', async () => {
    const { status } = await app().call(`GET /api/v4/users/${member.id}/skus`, { token: memberToken })
    expect(status).toBe(200)
  })

  test('are denied to those who may not read the user', async () => {
    const { status } = await app().call(`GET /api/v4/users/${owner.id}/skus`, { token: memberToken })
    expect(status).toBe(403)
  })

  test.each(['0', 'x', '4294967295', '-1', '1.5'])('of nobody: %s', async (id) => {
    expect((await app().call(`GET /api/v4/users/${id}/skus`, { token })).status).toBe(404)
  })
})

describe('another tenant', () => {
  let foreigner: MadeUser
  let foreignToken = ''
  let skuIds: Record<string, string> = {}

  beforeAll(async () => {
    const tenantId = await makeTenant(app(), 31)
    const catalogue = await readCatalogue(new URL('../../catalogue.json', import.meta.url).pathname)
    const text = { en: 'Beta', de: 'Beta', fr: 'Bêta', it: 'Beta' }
    const [first, ...rest] = catalogue.skus
    if (first === undefined) throw new Error('the catalogue has SKUs')
    const beta = {
      ...first,
      title: 'beta',
      name: text,
      description: text,
      cost: 0,
      handler: 'Beta' as const,
      active: false,
    }
    await loadCatalogue(app().database.db, tenantId, {
      skus: [first, ...rest, beta],
      packages: [],
      plans: [],
    })
    foreigner = await makeUser(app(), { tenantId, plan: null })
    foreignToken = (await signInAs(app(), foreigner)).access_token
    const { rows } = await app().database.pool.query<{ id: string; title: string }>(
      'select id, title from skus where tenant_id = 31',
    )
    skuIds = Object.fromEntries(rows.map((row) => [row.title, row.id]))
  })

  test('sees its own SKUs and packages', async () => {
    const { body } = await app().call('GET /api/v4/skus', { token: foreignToken })
    for (const sku of body) expect(Object.values(skuIds)).toContain(sku.id)
    expect((await app().call('GET /api/v4/packages', { token: foreignToken })).body).toEqual([])
  })

  test('does not see our users', async () => {
    const path = `/api/v4/users/${owner.id}`
    expect((await app().call(`GET ${path}/skus`, { token: foreignToken })).status).toBe(404)
    const preview = await app().call(`POST ${path}/preview`, { token: foreignToken, body: { delete: true } })
    expect(preview.status).toBe(404)
  })

  test('shows SKUs not on sale to those who have them', async () => {
    const path = `GET /api/v4/users/${foreigner.id}/skus`
    expect(titles((await app().call(path, { token: foreignToken })).body)).not.toContain('beta')
    const wanted = { [skuIds.mailbox ?? '']: 1, [skuIds.storage ?? '']: 5, [skuIds.beta ?? '']: 1 }
    const request = {
      object: { type: 'user', id: foreigner.id },
      tenantId: 31,
      walletId: foreigner.walletId,
      wanted,
      language: 'en',
      isOffered: true,
    } as const
    const change = (isStaff: boolean) =>
      app()
        .database.db.transaction()
        .execute((trx) =>
          changeSubscriptions(trx, app().clock, {
            ...request,
            actor: { isStaff, isController: true, mayBuy: true },
          }),
        )
    await expect(change(false)).rejects.toMatchObject({ status: 422 })
    await change(true)
    const { body } = await app().call(path, { token: foreignToken })
    expect(titles(body)).toContain('beta')
    expect(body.find((sku: { title: string }) => sku.title === 'beta')).toMatchObject({ active: 0 })
    await expect(change(false)).resolves.toMatchObject({ added: [], removed: [] })
  })

  test("an admin sees the SKUs of the user's tenant", async () => {
    const admin = await makeStaff(app(), 'admin')
    const { body } = await admin.call(`GET /api/v4/users/${foreigner.id}/skus`)
    expect(body[0].id).toBe(skuIds.mailbox)
  })
})

test('a controller of the account reads and previews like the owner', async () => {
  const helper = await makeUser(app(), { walletId: owner.walletId })
  await makeController(app(), helper, owner.walletId)
  const { access_token } = await signInAs(app(), helper)
  expect((await app().call(`GET /api/v4/users/${member.id}/skus`, { token: access_token })).status).toBe(200)
  const call = (id: number) =>
    app().call(`POST /api/v4/users/${id}/preview`, { token: access_token, body: { delete: true } })
  expect((await call(member.id)).status).toBe(200)
  expect((await call(owner.id)).status).toBe(403)
})

test.each([
  'GET /api/v4/skus',
  'GET /api/v4/packages',
  'GET /api/v4/users/1/skus',
  'POST /api/v4/users/preview',
  'POST /api/v4/users/1/preview',
])('%s needs a token', async (route) => {
  expect((await app().call(route)).status).toBe(401)
})
