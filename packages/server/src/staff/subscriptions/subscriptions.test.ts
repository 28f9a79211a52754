import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../platform/ids.ts'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { deleteUser, makeController, makeDomain, setStatus } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let admin: MadeStaff
let reseller: MadeStaff

const reason = 'asked by phone'

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller')
  await makeSku({ title: 'beta', handler: 'Beta', active: false })
  await makeSku({ title: 'mail-relay', handler: 'DomainRelay', active: true })
})

function makeSku(sku: { title: string; handler: string; active: boolean }) {
  const text = JSON.stringify({ en: sku.title })
  return app()
    .database.db.insertInto('skus')
    .values({ id: newUuid(), tenantId: 0, name: text, description: text, ...price, ...sku })
    .execute()
}

const price = { cost: 100, fee: 0, unitsFree: 0, period: 'monthly' } as const

/** A user with a package's subscriptions. */
let user: number

beforeEach(async () => {
  account = await makeAccount(app())
  const { body } = await account.as('owner', 'POST /api/v4/users', account.newUser())
  user = body.id
})

interface Shown {
  readonly skus: readonly { id: string; title: string; cost: number; active: number; canGive?: true }[]
  readonly held: Readonly<Record<string, { count: number }>>
  readonly canChange: boolean
}

async function shown(type: string, id: number, by: MadeStaff = admin): Promise<Shown> {
  const { status, body } = await by.call(`GET /api/v4/subscriptions/${type}/${id}`)
  expect(status).toBe(200)
  return body
}

/** Returns an object's units with changes, by SKU title. */
async function wanted(type: string, id: number, units: Record<string, number>) {
  const { skus, held } = await shown(type, id)
  const counts = Object.entries(held).map(([sku, { count }]) => [sku, count] as const)
  const changed = Object.entries(units).map(([title, count]) => {
    const sku = skus.find((one) => one.title === title)
    if (sku === undefined) throw new Error(`no SKU ${title}`)
    return [sku.id, count] as const
  })
  return Object.fromEntries([...counts, ...changed])
}

async function change(type: string, id: number, units: Record<string, number>, by: MadeStaff = admin) {
  const body = { skus: await wanted(type, id, units), reason }
  return by.call(`PUT /api/v4/subscriptions/${type}/${id}`, { body })
}

async function recordOf(id: number, type = 'user') {
  const { body } = await admin.call(`GET /api/v4/eventlog/${type}/${id}`)
  return body.list.filter((one: { kind: string }) => one.kind.includes('.sku-'))
}

describe('the subscriptions of a user', () => {
  test('are added, counted and removed by staff, with an activity line for each', async () => {
    const { storage = 0 } = await skusOf(app(), user)
    expect((await change('user', user, { storage: storage + 2, '2fa': 1 }, reseller)).status).toBe(200)
    expect(await skusOf(app(), user)).toMatchObject({ storage: storage + 2, '2fa': 1 })
    expect((await change('user', user, { storage, '2fa': 0 })).status).toBe(200)
    expect(await skusOf(app(), user)).toMatchObject({ storage })
    expect(Object.keys(await skusOf(app(), user))).not.toContain('2fa')
    const lines = (await recordOf(user)).map(
      (one: { kind: string; user: string; comment: string; data: { sku: string; units?: number } }) =>
        [one.kind, one.user, one.comment, one.data.sku, one.data.units ?? 1].join(' '),
    )
    expect(lines.sort()).toEqual(
      [
        `user.sku-added ${reseller.email} ${reason} 2fa 1`,
        `user.sku-added ${reseller.email} ${reason} storage 2`,
        `user.sku-removed ${admin.email} ${reason} 2fa 1`,
        `user.sku-removed ${admin.email} ${reason} storage -2`,
      ].sort(),
    )
    const { body } = await account.as('owner', 'GET /api/v4/events?event=user.sku-removed')
    expect(body.list[0]).toMatchObject({ actor: admin.email, comment: reason })
  })

  test('may include those that only staff can give', async () => {
    const { skus } = await shown('user', user)
    expect(skus.find(({ title }) => title === 'beta')).toMatchObject({ active: 0, canGive: true })
    expect((await change('user', user, { beta: 1 })).status).toBe(200)
    expect(await skusOf(app(), user)).toMatchObject({ beta: 1 })
  })

  test.each([
    ['what is always there is missing', { mailbox: 0 }],
    ['two exclude each other', { groupware: 1, activesync: 1, '2fa': 1 }],
    ['one is missing that another needs', { groupware: 0, activesync: 1 }],
    ['there are too many units', { storage: 1000 }],
  ])('follow the general rules: %s', async (_name, units) => {
    const before = await skusOf(app(), user)
    const { status, body } = await change('user', user, units)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['skus']])
    expect(await skusOf(app(), user)).toEqual(before)
    const skus = await wanted('user', user, units)
    const preview = await admin.call(`POST /api/v4/subscriptions/user/${user}/preview`, { body: { skus } })
    expect(preview.status).toBe(422)
  })

  test("cannot exceed the account's limit", async () => {
    await app()
      .database.db.insertInto('walletSettings')
      .values({ walletId: account.owner.walletId, key: 'monthly_ceiling', value: '1' })
      .execute()
    const { storage = 0 } = await skusOf(app(), user)
    expect((await change('user', user, { storage: storage + 1 })).status).toBe(422)
  })

  test('of an account that must pay first can only become cheaper', async () => {
    const { storage = 0 } = await skusOf(app(), user)
    await change('user', user, { storage: storage + 2 })
    await setStatus(app(), account.owner, 2 | 64)
    expect((await change('user', user, { storage: storage + 3 })).status).toBe(422)
    expect((await change('user', user, { storage: storage + 1 })).status).toBe(200)
  })

  test('cost what the preview says', async () => {
    const { storage = 0 } = await skusOf(app(), user)
    const skus = await wanted('user', user, { storage: storage + 2 })
    const { body } = await admin.call(`POST /api/v4/subscriptions/user/${user}/preview`, { body: { skus } })
    const sku = (await shown('user', user)).skus.find(({ title }) => title === 'storage')
    expect(body.monthly.next - body.monthly.now).toBe(2 * (sku?.cost ?? Number.NaN))
    expect(await skusOf(app(), user)).toMatchObject({ storage })
  })
})

describe('the subscriptions of other objects', () => {
  test('of a domain are added and removed', async () => {
    const { body } = await account.as('owner', 'GET /api/v4/packages')
    const pack = body.find((one: { isDomain: boolean }) => one.isDomain)
    const made = await account.as('owner', 'POST /api/v4/domains', {
      namespace: `more-${account.domain}`,
      package: pack.id,
    })
    const { id } = made.body
    expect((await change('domain', id, { 'mail-relay': 1 })).status).toBe(200)
    expect(await skusOf(app(), id)).toEqual({ 'domain-hosting': 1, 'mail-relay': 1 })
    expect((await change('domain', id, { 'mail-relay': 0 })).status).toBe(200)
    expect(await skusOf(app(), id)).toEqual({ 'domain-hosting': 1 })
    const kinds = (await recordOf(id, 'domain')).map((one: { kind: string }) => one.kind)
    expect(kinds).toEqual(['domain.sku-removed', 'domain.sku-added'])
  })

  test.each([
    ['group', 'groups'],
    ['resource', 'resources'],
    ['shared-folder', 'shared-folders'],
  ] as const)('of a %s keep the required SKU', async (type, collection) => {
    const id = await makeObject(account, collection)
    const { held, canChange } = await shown(type, id)
    expect([Object.keys(held).length, canChange]).toEqual([1, true])
    const body = { skus: {}, reason }
    const { status, body: answer } = await admin.call(`PUT /api/v4/subscriptions/${type}/${id}`, { body })
    expect([status, Object.keys(answer.errors)]).toEqual([422, ['skus']])
  })
})

describe('staff cannot change subscriptions', () => {
  const attempt = async (id: number, by: MadeStaff = admin) => {
    const skus = await wanted('user', id, {})
    return (await by.call(`PUT /api/v4/subscriptions/user/${id}`, { body: { skus, reason } })).status
  }

  test('in an account that denies staff access', async () => {
    await app()
      .database.db.insertInto('userSettings')
      .values({ userId: account.owner.id, key: 'staff_access_policy', value: 'false' })
      .execute()
    expect([await attempt(user), (await shown('user', user)).canChange]).toEqual([403, false])
  })

  test('in an account that they control', async () => {
    const insider = await makeStaff(app(), 'admin')
    await makeController(app(), insider, account.owner.walletId)
    expect([await attempt(user, insider), (await shown('user', user, insider)).canChange]).toEqual([
      403,
      false,
    ])
  })

  test('of themselves or colleagues', async () => {
    expect(await attempt(admin.id)).toBe(403)
    expect(await attempt(reseller.id)).toBe(403)
  })

  test('of a deleted object', async () => {
    await deleteUser(app(), account.member)
    const path = `/api/v4/subscriptions/user/${account.member.id}`
    expect((await admin.call(`PUT ${path}`, { body: { skus: {}, reason } })).status).toBe(404)
    expect((await shown('user', account.member.id)).canChange).toBe(false)
  })

  test('without a reason', async () => {
    const body = { skus: await wanted('user', user, {}) }
    const { status, body: answer } = await admin.call(`PUT /api/v4/subscriptions/user/${user}`, { body })
    expect([status, Object.keys(answer.errors)]).toEqual([422, ['reason']])
  })
})
