import type { RouteDefinition, Variant } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { beforeAll, describe, expect, test } from 'vitest'
import { schedulePriceChange } from '../subscriptions/price-changes/schedule.ts'
import { type MadeUser, makeDomain, makeTenant, makeUser, signInAs } from '../testing/factories.ts'
import { makeSku } from '../testing/price-changes.ts'
import { useTestApp } from '../testing/test-app.ts'
import { insertOneOff } from './money/one-off-store.ts'

const app = useTestApp()

const people = ['nobody', 'user', 'owner', 'reseller', 'otherReseller', 'admin'] as const

type Person = (typeof people)[number]

/**
 * What staff get on their own host for a call with empty input about a customer's object: the admin, the
 * reseller of the customer's tenant, and another reseller. 422 means allowed, but with incomplete input. Other
 * callers follow a rule, see below.
 */
// biome-ignore format: a table
const expected: Readonly<Record<string, string>> = {
  //                                                         admin resel other; 0: not on that host
  'GET /api/v4/payments/status':                             '404   0     0',
  'POST /api/v4/payments/mandate/reset':                     '200   0     0',
  'GET /api/v4/overview @staff':                             '200   200   200',
  'GET /api/v4/users @staff':                                '200   200   200',
  'GET /api/v4/search @staff':                               '200   200   200',
  'GET /api/v4/users/{id} @staff':                           '200   200   404',
  'PUT /api/v4/users/{id} @staff':                           '200   200   404',
  'POST /api/v4/users/{id}/suspend':                         '200   200   404',
  'POST /api/v4/users/{id}/unsuspend':                       '200   200   404',
  'POST /api/v4/users/{id}/reset-2fa':                       '422   422   404',
  'POST /api/v4/users/{id}/reset-geolock':                   '200   200   404',
  'POST /api/v4/users/{id}/mail-settings':                   '200   200   404',
  'POST /api/v4/users/{id}/password-link':                   '422   422   404',
  'POST /api/v4/users/{id}/sign-out @staff':                 '200   200   404',
  'POST /api/v4/users/{id}/resync':                          '200   200   404',
  'POST /api/v4/users/{id}/restore @staff':                  '404   404   404',
  'POST /api/v4/users/{id}/delete':                         '422   422   404',
  'POST /api/v4/users/{id}/erase':                          '422   422   404',
  'GET /api/v4/users/{id}/mail':                             '200   200   404',
  'GET /api/v4/users/{id}/api-keys':                         '200   200   404',
  // there is no such key
  'POST /api/v4/users/{id}/api-keys/{key}/revoke':           '404   404   404',
  'GET /api/v4/users/{id}/discounts':                        '200   200   404',
  'POST /api/v4/users/{id}/skus/{sku}':                      '404   404   404',
  'POST /api/v4/users/{id}/login-as @staff':                 '422   422   404',
  'GET /api/v4/domains @staff':                              '200   200   200',
  'GET /api/v4/domains/{id} @staff':                         '200   200   404',
  'POST /api/v4/domains/{id}/suspend':                       '200   200   404',
  'POST /api/v4/domains/{id}/unsuspend':                     '200   200   404',
  'POST /api/v4/domains/{id}/restore @staff':                '404   404   404',
  'POST /api/v4/domains/{id}/delete':                       '422   422   404',
  'POST /api/v4/domains/{id}/erase':                        '422   422   404',
  'GET /api/v4/groups @staff':                               '200   200   200',
  'GET /api/v4/groups/{id} @staff':                          '200   200   404',
  'POST /api/v4/groups/{id}/suspend':                        '200   200   404',
  'POST /api/v4/groups/{id}/unsuspend':                      '200   200   404',
  'POST /api/v4/groups/{id}/restore @staff':                 '404   404   404',
  'POST /api/v4/groups/{id}/delete':                        '422   422   404',
  'POST /api/v4/groups/{id}/erase':                         '422   422   404',
  'GET /api/v4/resources @staff':                            '200   200   200',
  'GET /api/v4/resources/{id} @staff':                       '200   200   404',
  'POST /api/v4/resources/{id}/restore @staff':              '404   404   404',
  'POST /api/v4/resources/{id}/delete':                     '422   422   404',
  'POST /api/v4/resources/{id}/erase':                      '422   422   404',
  'GET /api/v4/shared-folders @staff':                       '200   200   200',
  'GET /api/v4/shared-folders/{id} @staff':                  '200   200   404',
  'POST /api/v4/shared-folders/{id}/restore @staff':         '404   404   404',
  'POST /api/v4/shared-folders/{id}/delete':                '422   422   404',
  'POST /api/v4/shared-folders/{id}/erase':                 '422   422   404',
  'GET /api/v4/wallets/{id} @staff':                         '200   200   404',
  'PUT /api/v4/wallets/{id}':                                '200   200   404',
  'POST /api/v4/wallets/{id}/one-off':                       '422   422   404',
  'POST /api/v4/wallets/{id}/one-off/preview':               '422   422   404',
  'GET /api/v4/wallets/{id}/controllers @staff':             '200   200   404',
  'POST /api/v4/wallets/{id}/controllers @staff':            '422   422   404',
  'POST /api/v4/wallets/{id}/controllers/remove':            '422   422   404',
  'POST /api/v4/wallets/{id}/owner @staff':                  '422   422   404',
  'GET /api/v4/one-offs':                                    '200   200   200',
  'POST /api/v4/one-offs/{id}/approve':                      '422   403   404',
  'POST /api/v4/one-offs/{id}/refuse':                       '422   422   404',
  'GET /api/v4/price-changes':                               '200   200   200',
  'GET /api/v4/price-changes/skus':                          '200   200   200',
  'POST /api/v4/price-changes/preview':                      '422   422   422',
  'POST /api/v4/price-changes':                              '422   422   422',
  'GET /api/v4/price-changes/{id}':                          '200   200   404',
  'GET /api/v4/price-changes/{id}/wallets':                  '200   200   404',
  'POST /api/v4/price-changes/{id}/cancel':                  '200   200   404',
  'GET /api/v4/eventlog/{type}/{id}':                        '200   200   404',
  'GET /api/v4/accounts/{id}/creation':                      '200   200   404',
  'POST /api/v4/accounts/{id}/{kind}/preview':               '422   422   404',
  'POST /api/v4/accounts/{id}/users':                        '422   422   404',
  'POST /api/v4/accounts/{id}/domains':                      '422   422   404',
  'POST /api/v4/accounts/{id}/groups':                       '422   422   404',
  'POST /api/v4/accounts/{id}/resources':                    '422   422   404',
  'POST /api/v4/accounts/{id}/shared-folders':               '422   422   404',
  'POST /api/v4/service-users':                              '422   0     0',
  'GET /api/v4/subscriptions/{type}/{id}':                   '200   200   404',
  'POST /api/v4/subscriptions/{type}/{id}/preview':          '422   422   404',
  'PUT /api/v4/subscriptions/{type}/{id}':                   '422   422   404',
  'GET /api/v4/stats/chart/{chart}':                         '200   200   200',
  'GET /api/v4/stats/figures':                               '200   200   200',
  'GET /api/v4/invitations':                                 '0     200   200',
  'POST /api/v4/invitations':                                '0     422   422',
  'POST /api/v4/invitations/import':                         '0     200   200',
  'POST /api/v4/invitations/{id}/resend':                    '0     404   404',
  'DELETE /api/v4/invitations/{id}':                         '0     404   404',
  'GET /api/v4/tenants':                                     '200   200   200',
  'GET /api/v4/tenants/{id}':                                '200   200   404',
  'PUT /api/v4/tenants/{id}':                                '200   200   404',
  'POST /api/v4/tenants/{id}/names/{name}/check':            '404   404   404',
  'POST /api/v4/tenants/{id}/names/{name}/confirm':          '422   0     0',
  'PUT /api/v4/tenants/{id}/limits':                         '200   0     0',
  'GET /api/v4/tenants/{id}/catalogue':                      '200   200   404',
  'POST /api/v4/tenants/{id}/discounts':                     '422   422   404',
  'PUT /api/v4/tenants/{id}/discounts/{discount}':           '404   404   404',
  'GET /api/v4/tenants/{id}/settlements':                    '200   200   404',
  'GET /api/v4/tenants/{id}/settlements/{period}':           '200   200   404',
  'GET /api/v4/tenants/{id}/settlements/{period}/csv':       '200   200   404',
  'PUT /api/v4/tenants/{id}/skus/{sku}':                     '422   422   404',
  'POST /api/v4/tenants/{id}/packages':                      '422   422   404',
  'PUT /api/v4/tenants/{id}/packages/{package}':             '422   422   404',
  'DELETE /api/v4/tenants/{id}/packages/{package}':          '404   404   404',
  'POST /api/v4/tenants/{id}/plans':                         '422   422   404',
  'PUT /api/v4/tenants/{id}/plans':                          '422   422   404',
  'PUT /api/v4/tenants/{id}/plans/{plan}':                   '422   422   404',
  'DELETE /api/v4/tenants/{id}/plans/{plan}':                '404   404   404',
  'GET /api/v4/tenants/{id}/public-domains':                 '200   200   404',
  'POST /api/v4/tenants/{id}/public-domains':                '422   422   404',
  'POST /api/v4/tenants/{id}/public-domains/{domain}/check': '404   404   404',
  'POST /api/v4/tenants/{id}/public-domains/{domain}/confirm': '422   0     0',
  'PUT /api/v4/tenants/{id}/public-domains/{domain}':        '422   422   404',
  'DELETE /api/v4/tenants/{id}/public-domains/{domain}':     '404   404   404',
  'GET /api/v4/tenants/{id}/signup-tokens':                  '200   200   404',
  'POST /api/v4/tenants/{id}/signup-tokens':                 '422   422   404',
  'DELETE /api/v4/tenants/{id}/signup-tokens/{token}':       '404   404   404',
  'GET /api/v4/tenants/{id}/referral-programs':              '200   200   404',
  'POST /api/v4/tenants/{id}/referral-programs':             '422   422   404',
  'PUT /api/v4/tenants/{id}/referral-programs/{program}':    '422   422   404',
  'GET /api/v4/vat-reports/{period}':                       '200   0     0',
  'GET /api/v4/vat-reports/{period}/csv':                   '200   0     0',
  'GET /api/v4/jobs':                                        '200   0     0',
  'POST /api/v4/jobs/{id}/retry':                            '404   0     0',
  'DELETE /api/v4/jobs/{id}':                                '404   0     0',
  'GET /api/v4/mails':                                       '200   0     0',
  'GET /api/v4/health':                                      '200   0     0',
  'GET /api/v4/oauth/clients':                               '200   0     0',
  'GET /api/v4/oauth/clients/{id}':                          '404   0     0',
  'POST /api/v4/oauth/clients':                              '422   0     0',
  'PUT /api/v4/oauth/clients/{id}':                          '404   0     0',
  'POST /api/v4/oauth/clients/{id}/secret':                  '404   0     0',
  'DELETE /api/v4/oauth/clients/{id}':                       '404   0     0',
  'GET /api/v4/inspect-request':                             '200   0     0',
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

/** Creates a customer's object of the kind the call is about and returns the path. */
async function pathFor(path: string): Promise<string> {
  const walletId = made.get('owner')?.walletId ?? ''
  const filled = path
    .replace('{type}', 'user')
    .replace('{kind}', 'users')
    .replace('{sku}', 'beta')
    .replace('{chart}', 'users')
    .replace('{period}', '2026-03')
  const [, collection = ''] = /^\/api\/v4\/([a-z-]+)\//.exec(path) ?? []
  return filled.replace('{id}', await objectOf(collection, walletId)).replaceAll(/\{\w+\}/g, 'none')
}

/** Creates a future change of the service's own prices. */
async function makePriceChange(): Promise<string> {
  const { id: skuId } = await makeSku(app())
  const wish = { tenantId: 0, skuId, cost: 600, fee: null, date: null, individual: [], reason: {} }
  const parts = { config: { PRICE_NOTICE_DAYS: 30, APP_CURRENCY: 'CHF' }, clock: app().clock }
  return schedulePriceChange(app().database.db, parts, { ...wish, newSubscriptions: 'same-date' }, {})
}

async function objectOf(collection: string, walletId: string): Promise<string> {
  objects += 1
  if (collection === 'accounts') return String(made.get('owner')?.id)
  if (collection === 'wallets') return (await makeUser(app())).walletId
  if (collection === 'one-offs') return makeRequest((await makeUser(app())).walletId)
  if (collection === 'tenants') return '0'
  if (collection === 'price-changes') return makePriceChange()
  if (collection === 'domains') {
    return String(await makeDomain(app(), `made${objects}.test`, { type: 4, walletId }))
  }
  if (!['groups', 'resources', 'shared-folders'].includes(collection)) {
    return String((await makeUser(app(), { walletId })).id)
  }
  const token = await tokenOf('owner')
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

/** Creates a request by the reseller of the customer's tenant. */
async function makeRequest(walletId: string): Promise<string> {
  const by = made.get('reseller')
  if (by === undefined) throw new Error('people are made first')
  const person = { userId: by.id, role: 'reseller', tenantId: 0, email: by.email } as const
  const facts = { tenantId: 0, walletId, amount: 100, currency: 'CHF', description: 'x', by: person }
  return insertOneOff(app().database.db, app().clock, facts)
}

const tokens = new Map<Person, string>()

async function tokenOf(person: Person): Promise<string | undefined> {
  const caller = made.get(person)
  if (caller === undefined) return undefined
  const token = tokens.get(person) ?? (await signInAs(app(), caller)).access_token
  tokens.set(person, token)
  return token
}

/** Returns the staff allowed on a host. */
function staffOf(variant: Variant): readonly Person[] {
  if (variant === 'user') return people
  return variant === 'admin' ? ['admin'] : ['reseller', 'otherReseller']
}

async function statusFor(key: string, person: Person, variant: Variant): Promise<number> {
  const [method = '', path = ''] = key.split(' ')
  const token = await tokenOf(person)
  const host = variant === 'user' ? 'localhost:8000' : `${variant}.localhost:8000`
  // staff rejected at the host never reach the object
  const isInside = staffOf(variant).some((one) => one === person)
  const route = `${method} ${isInside ? await pathFor(path) : path.replaceAll(/\{\w+\}/g, '1')}`
  return (await app().call(route, { token, host, ...(method !== 'GET' && { body: {} }) })).status
}

/** For calls on every host, the table of the users' host says what their response depends on. */
const table = (Object.entries(routes) as [string, RouteDefinition][]) // the keys of an object literal
  .filter(([key, { auth }]) => auth === 'token' && key.includes(' /api/v4/'))
  // skips user calls that are shadowed by a staff route on this host
  .filter(([key]) => !Object.hasOwn(routes, `${key} @staff`))

const isOn = (variant: Variant, { hosts }: RouteDefinition) => hosts?.includes(variant) ?? true
const ofStaff = table.filter(([, { hosts }]) => hosts?.some((host) => host !== 'user') === true)

describe('on the staff hosts', () => {
  test('the table lists exactly the staff calls', () => {
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

  test.each(table)('%s is restricted to staff of that host', async (key, definition) => {
    for (const variant of ['admin', 'reseller'] as const) {
      for (const person of people) {
        if (staffOf(variant).includes(person)) continue
        const status = isOn(variant, definition) ? (person === 'nobody' ? 401 : 403) : 404
        expect(await statusFor(key, person, variant), `${person} on ${variant}`).toBe(status)
      }
    }
  })

  test.each(ofStaff.filter(([key, definition]) => !isOn('user', definition) && !key.includes('@')))(
    "%s does not exist on the users' host, not even for staff",
    async (key) => {
      for (const person of ['nobody', 'owner', 'reseller', 'admin'] as const) {
        expect(await statusFor(key, person, 'user'), person).toBe(404)
      }
    },
  )
})
