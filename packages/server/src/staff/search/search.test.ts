import { sql } from 'kysely'
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
let wimId = 0

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
      organization: 'Gärtnerei Doe AG',
    },
  })
  await makeAlias(app(), jane, 'jd@example.test')
  await makeDomain(app(), 'jane.test', { type: 4, walletId: jane.walletId })
  await makeObject(jane, 'group', 'Café Committee', 'committee@jane.test')
  await makeObject(jane, 'resource', 'Großer Saal', 'saal@jane.test')
  const wim = await makeUser(app(), {
    email: 'wim@xn--mnchen-3ya.test',
    settings: { first_name: 'Wim', last_name: 'Óskar' },
  })
  wimId = wim.id
  gone = await makeUser(app(), { email: 'gone@example.test' })
  await deleteUser(app(), gone)
  foreign = await makeUser(app(), {
    email: 'janet@example.test',
    tenantId,
    settings: { first_name: 'Janet', last_name: 'Foreign' },
  })
  await makeDomain(app(), 'foreign.test', { type: 4, walletId: foreign.walletId, tenantId })
  await makeObject(foreign, 'group', 'Foreign committee', 'committee@foreign.test', tenantId)
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

async function makeObject(
  { walletId }: MadeUser,
  kind: 'group' | 'resource',
  name: string,
  email: string,
  tenantId = 0,
): Promise<void> {
  const now = app().clock.now()
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0)::float8 + 7 as id
    from directory_objects`.execute(app().database.db)
  await sql`insert into directory_objects (id, kind, tenant_id, wallet_id, domain, email, name, status, created_at,
      updated_at)
    values (${rows[0]?.id}, ${kind}, ${tenantId}, ${walletId}, ${email.split('@')[1]}, ${email}, ${name}, 3, ${now},
      ${now})`.execute(app().database.db)
}

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
    ['middle of the address', 'e.doe@exam', 'email'],
    ['middle of the alias', 'd@example', 'alias'],
    ['middle of the organisation, without its accent', 'artnerei d', 'organization'],
    ['middle of the domain', 'ane.tes', 'domain'],
    ['middle of the name of a list, without its accent', 'fe commit', 'object'],
    ['middle of the name of a resource', 'osser sa', 'object'],
    ['middle of the address of a resource', 'aal@jane', 'object'],
  ])('by %s', async (_, search, match) => {
    expect(await found(admin, search)).toEqual([[jane.id, match]])
  })

  test('by user id and wallet id', async () => {
    expect(await found(admin, String(jane.id))).toEqual([[jane.id, 'id']])
    expect(await found(admin, jane.walletId)).toEqual([[jane.id, 'wallet']])
  })

  test('that is deleted, and marks it as such', async () => {
    const { body } = await admin.call('GET /api/v4/users?search=gone@example.test')
    expect(body).toMatchObject({ count: 1, hasMore: false, page: 1, message: '1 account found' })
    expect(body.list[0]).toMatchObject({ id: gone.id, isDeleted: true, deleted_at: '2026-03-10 12:00:00' })
  })

  test('by its Unicode domain, with or without accents', async () => {
    for (const search of ['m@müNCHen', 'munchen', 'wim@münchen.test', 'OSKAR', 'im osk']) {
      expect(await found(admin, search), search).toEqual([[wimId, expect.any(String)]])
    }
  })

  test('in every tenant', async () => {
    expect(await found(admin, 'janet@example.test')).toEqual([[foreign.id, 'email']])
  })
})

test.each([[''], ['nobody@example.test'], ['%'], ['_'], ['1'], ['00000000-0000-7000-8000-000000000000']])(
  '%j finds nothing',
  async (search) => {
    expect(await found(admin, search)).toEqual([])
  },
)

test('lists are paged without overlaps or gaps', async () => {
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
  test('finds customers of their own tenant by any part of the name', async () => {
    expect(await found(reseller, 'anet')).toEqual([[foreign.id, 'name']])
    expect(await found(reseller, 'janet@example.test')).toEqual([[foreign.id, 'email']])
  })

  test('finds customers by any part of a domain or list', async () => {
    expect(await found(reseller, 'oreign.te')).toEqual([[foreign.id, 'domain']])
    expect(await found(reseller, 'gn commi')).toEqual([[foreign.id, 'object']])
  })

  test('does not find other tenants or staff', async () => {
    for (const search of [
      'jane.doe@example.test',
      'jane',
      'jane.test',
      'tr_jane',
      String(jane.id),
      'ane.tes',
      'artnerei d',
      'fe commit',
    ]) {
      expect(await found(reseller, search), search).not.toContainEqual([jane.id, expect.anything()])
    }
    expect(await found(reseller, reseller.email)).toEqual([])
    expect(await found(reseller, String(reseller.id))).toEqual([])
  })

  test('sees nothing of an owner in another tenant', async () => {
    const { body } = await reseller.call(`GET /api/v4/users?owner=${jane.id}`)
    expect(body.list).toEqual([])
    for (const kind of ['domains', 'groups', 'resources', 'shared-folders']) {
      expect((await reseller.call(`GET /api/v4/${kind}?owner=${jane.id}`)).body.list, kind).toEqual([])
    }
  })
})

describe('a search over all kinds', () => {
  const hits = async (by: MadeStaff, q: string) => {
    const { status, body } = await by.call(`GET /api/v4/search?q=${encodeURIComponent(q)}`)
    expect(status).toBe(200)
    return body.list.map(({ type, title }: { type: string; title: string }) => `${type} ${title}`)
  }

  test('finds customers and their objects, by kind', async () => {
    expect(await hits(admin, 'jane')).toEqual([
      'user jane.doe@example.test',
      'user janet@example.test',
      'domain jane.test',
      'distlist Café Committee',
      'resource Großer Saal',
    ])
    expect(await hits(admin, 'NE@exam')).toEqual(['user gone@example.test'])
    expect(await hits(admin, 'gross')).toEqual(['user jane.doe@example.test', 'resource Großer Saal'])
  })

  test('never shows another tenant to a reseller', async () => {
    expect(await hits(reseller, 'ommittee')).toEqual([
      'user janet@example.test',
      'distlist Foreign committee',
    ])
    expect(await hits(reseller, 'jane.test')).toEqual([])
    expect(await hits(reseller, 'e.doe')).toEqual([])
  })

  test.each(['', ' ', '%', '_%_', "'; drop table users"])('finds nothing for %j', async (q) => {
    expect(await hits(admin, q)).toEqual([])
  })
})

test('lists of one kind are also searched by substring', async () => {
  const names = async (path: string) => (await admin.call(`GET /api/v4/${path}`)).body.list.length
  expect(await names('domains?search=ane.tes')).toBe(1)
  expect(await names('groups?search=cafe')).toBe(1)
  expect(await names('resources?search=saal@ja')).toBe(1)
  expect(await names('resources?search=cafe')).toBe(0)
  expect((await reseller.call('GET /api/v4/domains?search=ane.tes')).body.list).toEqual([])
})

test("an owner's objects are listed by kind", async () => {
  const { body } = await admin.call(`GET /api/v4/domains?owner=${jane.id}`)
  expect(body).toMatchObject({ count: 1, hasMore: false })
  expect(body.list[0]).toMatchObject({ namespace: 'jane.test', isConfirmed: true, isDeleted: false })
  const byName = await admin.call('GET /api/v4/domains?search=JANE.test')
  expect(byName.body.list).toHaveLength(1)
  expect((await admin.call('GET /api/v4/domains')).body.list).toEqual([])
})
