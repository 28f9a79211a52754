import type { RouteDefinition, Variant } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeDomain, makeTenant, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

const people = ['nobody', 'user', 'owner', 'reseller', 'otherReseller', 'admin'] as const

type Person = (typeof people)[number]

/**
 * What staff get on their own host for a call with empty input about an object of a customer: the admin, the reseller of
 * the customer's tenant, and that of another one. 422 means "may, but the input lacks something". Who else asks is decided
 * by rule: below.
 */
// biome-ignore format: a table
const expected: Readonly<Record<string, string>> = {
  //                                          admin resel other
}

const made = new Map<Person, MadeUser>()

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  const owner = await makeUser(app(), { email: 'owner@example.test', plan: 'group' })
  made.set('owner', owner)
  await makeDomain(app(), 'own.test', { type: 4, status: 50, walletId: owner.walletId })
  made.set('user', await makeUser(app()))
  made.set('reseller', await makeUser(app(), { role: 'reseller' }))
  made.set('otherReseller', await makeUser(app(), { role: 'reseller', tenantId }))
  made.set('admin', await makeUser(app(), { role: 'admin' }))
})

let objects = 0

/** The path of a new object of the customer, of the kind that a call is about. */
async function pathFor(path: string): Promise<string> {
  const walletId = made.get('owner')?.walletId ?? ''
  const filled = path.replace('{type}', 'user').replace('{sku}', 'beta').replace('{chart}', 'users')
  const [, collection = ''] = /^\/api\/v4\/([a-z-]+)\//.exec(path) ?? []
  return filled.replace('{id}', await objectOf(collection, walletId)).replaceAll(/\{\w+\}/g, 'none')
}

async function objectOf(collection: string, walletId: string): Promise<string> {
  objects += 1
  if (collection === 'wallets') return (await makeUser(app())).walletId
  if (collection === 'tenants') return '0'
  if (collection === 'domains') {
    return String(await makeDomain(app(), `made${objects}.test`, { type: 4, walletId }))
  }
  if (!['groups', 'resources', 'shared-folders'].includes(collection)) {
    return String((await makeUser(app(), { walletId })).id)
  }
  const { access_token: token } = await signInAs(app(), made.get('owner') ?? { email: '', password: '' })
  const name = `Object ${objects}`
  const body = {
    email: `o${objects}@own.test`,
    members: ['x@y.test'],
    domain: 'own.test',
    type: 'mail',
    name,
  }
  return String((await app().call(`POST /api/v4/${collection}`, { token, body })).body.id)
}

async function statusFor(key: string, person: Person, variant: Variant): Promise<number> {
  const [method = '', path = ''] = key.split(' ')
  const caller = made.get(person)
  const token = caller && (await signInAs(app(), caller)).access_token
  const host = variant === 'user' ? 'localhost:8000' : `${variant}.localhost:8000`
  const route = `${method} ${await pathFor(path)}`
  return (await app().call(route, { token, host, ...(method !== 'GET' && { body: {} }) })).status
}

/** Of calls that are there on every host, the table of the users' host says what their answer depends on. */
const table = (Object.entries(routes) as [string, RouteDefinition][]) // the keys of an object literal
  .filter(([key, { auth }]) => auth === 'token' && key.includes(' /api/v4/'))

const isOn = (variant: Variant, { hosts }: RouteDefinition) => hosts?.includes(variant) ?? true
const ofStaff = table.filter(([, { hosts }]) => hosts?.some((host) => host !== 'user') === true)

describe('on the hosts of staff', () => {
  test('the table says it for every call that is theirs, and for no other', () => {
    expect(Object.keys(expected).sort()).toEqual(ofStaff.map(([key]) => key).sort())
  })

  test.each(ofStaff)('%s', async (key, definition) => {
    const found = [
      isOn('admin', definition) ? await statusFor(key, 'admin', 'admin') : 0,
      isOn('reseller', definition) ? await statusFor(key, 'reseller', 'reseller') : 0,
      isOn('reseller', definition) ? await statusFor(key, 'otherReseller', 'reseller') : 0,
    ]
    expect(found.join('   ')).toBe((expected[key] ?? '').split(/ +/).join('   '))
  })

  test.each(table)('%s is for staff of that host only', async (key, definition) => {
    for (const variant of ['admin', 'reseller'] as const) {
      for (const person of people) {
        if (person === variant || (person === 'otherReseller' && variant === 'reseller')) continue
        const status = isOn(variant, definition) ? (person === 'nobody' ? 401 : 403) : 404
        expect(await statusFor(key, person, variant), `${person} on ${variant}`).toBe(status)
      }
    }
  })

  test.each(ofStaff.filter(([key, definition]) => !isOn('user', definition) && !key.includes('@')))(
    '%s is not there on the host of users, not even for staff',
    async (key) => {
      for (const person of ['nobody', 'owner', 'reseller', 'admin'] as const) {
        expect(await statusFor(key, person, 'user'), person).toBe(404)
      }
    },
  )
})
