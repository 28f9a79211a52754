import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeAlias,
  makeDomain,
  makeTenant,
  makeUser,
} from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let admin: MadeStaff
let reseller: MadeStaff
let jane: MadeUser
let gone: MadeUser
let foreign: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  jane = await makeUser(app(), {
    email: 'jane.doe@example.test',
    settings: {
      first_name: 'Jane',
      last_name: 'Doe',
      phone: '+41 79 123-45-67',
      external_email: 'Jane@Elsewhere.test',
    },
  })
  await makeAlias(app(), jane, 'jd@example.test')
  await makeDomain(app(), 'jane.test', { type: 4, walletId: jane.walletId })
  gone = await makeUser(app(), { email: 'gone@example.test' })
  await deleteUser(app(), gone)
  foreign = await makeUser(app(), {
    email: 'janet@example.test',
    tenantId,
    settings: { first_name: 'Janet', last_name: 'Foreign' },
  })
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', tenantId)
  const { db } = app().database
  const now = app().clock.now()
  await db
    .insertInto('paymentCustomers')
    .values({ walletId: jane.walletId, provider: 'mollie', id: 'cst_jane', createdAt: now })
    .execute()
  await db
    .insertInto('payments')
    .values({
      id: 'own-id',
      providerId: 'tr_jane',
      walletId: jane.walletId,
      type: 'oneoff',
      status: 'paid',
      provider: 'mollie',
      amount: 100,
      creditAmount: 100,
      currency: 'CHF',
      currencyAmount: 100,
      createdAt: now,
      updatedAt: now,
      paidAt: now,
    })
    .execute()
})

async function found(by: MadeStaff, search: string): Promise<[id: number, match: string][]> {
  const { status, body } = await by.call(`GET /api/v4/users?search=${encodeURIComponent(search)}`)
  expect(status).toBe(200)
  return body.list.map((item: { id: number; match: string }) => [item.id, item.match])
}

describe('an admin finds an account', () => {
  test.each([
    ['address', 'JANE.DOE@example.test', 'email'],
    ['alias', 'jd@example.test', 'alias'],
    ['external address', 'jane@elsewhere.test', 'external_email'],
    ['domain', 'jane.test', 'domain'],
    ['customer number at the provider', 'cst_jane', 'customer'],
    ['payment number at the provider', 'tr_jane', 'payment'],
    ['phone, however it is written', '+41 79 1234567', 'phone'],
    ['first name and last name', 'jane doe', 'name'],
    ['last name and first name', 'Doe Jane', 'name'],
    ['beginning of the last name', 'jane d', 'name'],
    ['beginning of the address', 'jane.do', 'email'],
  ])('by %s', async (_, search, match) => {
    expect(await found(admin, search)).toEqual([[jane.id, match]])
  })

  test('by the numbers of user and wallet', async () => {
    expect(await found(admin, String(jane.id))).toEqual([[jane.id, 'id']])
    expect(await found(admin, jane.walletId)).toEqual([[jane.id, 'wallet']])
  })

  test('that is deleted, and says so', async () => {
    const { body } = await admin.call('GET /api/v4/users?search=gone@example.test')
    expect(body).toMatchObject({ count: 1, hasMore: false, page: 1, message: '1 account found' })
    expect(body.list[0]).toMatchObject({ id: gone.id, isDeleted: true, deleted_at: '2026-03-10 12:00:00' })
  })

  test('of every tenant', async () => {
    expect(await found(admin, 'janet@example.test')).toEqual([[foreign.id, 'email']])
  })
})

test.each([[''], ['nobody@example.test'], ['%'], ['_'], ['1'], ['00000000-0000-7000-8000-000000000000']])(
  '%j finds nothing',
  async (search) => {
    expect(await found(admin, search)).toEqual([])
  },
)

test('a list is paged, and its pages neither overlap nor leave anybody out', async () => {
  const owner = await makeUser(app(), { email: 'many@example.test' })
  for (let n = 1; n <= 4; n++)
    await makeUser(app(), { email: `many${n}@example.test`, walletId: owner.walletId })
  const page = async (query: string) => {
    const { body } = await admin.call(`GET /api/v4/users?${query}`)
    return {
      emails: body.list.map((item: { email: string }) => item.email.split('@')[0]),
      more: body.hasMore,
    }
  }
  expect(await page('search=many&size=3')).toEqual({ emails: ['many1', 'many2', 'many3'], more: true })
  expect(await page('search=many&size=3&page=2')).toEqual({ emails: ['many4', 'many'], more: false })
  expect(await page('search=many&size=3&page=3')).toEqual({ emails: [], more: false })
  expect(await page(`owner=${owner.id}&size=2&page=3`)).toEqual({ emails: ['many'], more: false })
})

describe('a reseller', () => {
  test('finds customers of the own tenant by any part of their name', async () => {
    expect(await found(reseller, 'anet')).toEqual([[foreign.id, 'name']])
    expect(await found(reseller, 'janet@example.test')).toEqual([[foreign.id, 'email']])
  })

  test('finds neither other tenants nor staff', async () => {
    for (const search of ['jane.doe@example.test', 'jane', 'jane.test', 'tr_jane', String(jane.id)]) {
      expect(await found(reseller, search), search).not.toContainEqual([jane.id, expect.anything()])
    }
    expect(await found(reseller, reseller.email)).toEqual([])
    expect(await found(reseller, String(reseller.id))).toEqual([])
  })

  test('sees nothing of an owner of another tenant', async () => {
    const { body } = await reseller.call(`GET /api/v4/users?owner=${jane.id}`)
    expect(body.list).toEqual([])
    for (const kind of ['domains', 'groups', 'resources', 'shared-folders']) {
      expect((await reseller.call(`GET /api/v4/${kind}?owner=${jane.id}`)).body.list, kind).toEqual([])
    }
  })
})

test('what an owner has is listed by kind', async () => {
  const { body } = await admin.call(`GET /api/v4/domains?owner=${jane.id}`)
  expect(body).toMatchObject({ count: 1, hasMore: false })
  expect(body.list[0]).toMatchObject({ namespace: 'jane.test', isConfirmed: true, isDeleted: false })
  const byName = await admin.call('GET /api/v4/domains?search=JANE.test')
  expect(byName.body.list).toHaveLength(1)
  expect((await admin.call('GET /api/v4/domains')).body.list).toEqual([])
})
