import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertOneOff } from '../../staff/money/one-off-store.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeDiscount, makeDomain, makeTotp, makeUser, signInAs } from '../../testing/factories.ts'
import { authorization, makeClient, post } from '../../testing/oauth.ts'
import { useTestApp } from '../../testing/test-app.ts'

/** Calls for which a stolen token is not enough: they require authentication within the last ten minutes. */

const app = useTestApp()
const tooOld = 601
let account: TestAccount
let token = ''

beforeAll(async () => {
  // the OAuth library uses its own clock
  app().clock.advance((Date.now() - app().clock.now().getTime()) / 1000)
  await makeDomain(app(), 'example.test')
})

beforeEach(async () => {
  account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
})

const refused = {
  status: 403,
  body: {
    status: 'error',
    message: 'Sign out and sign in again to confirm it’s you.',
    stepUp: true,
    factors: ['password'],
  },
}

interface Caller {
  readonly email: string
  readonly password: string
}

/** Makes a call with a stale authentication, which is rejected, and again with a fresh one, which isn't. */
async function expectAsked(
  caller: Caller,
  route: string,
  input: unknown,
  more: { host?: string; headers?: Record<string, string> } = {},
): Promise<void> {
  const { access_token: token } = await signInAs(app(), caller)
  const options = { token, ...more }
  app().clock.advance(tooOld)
  try {
    const body = input instanceof Function ? await input() : input
    expect(await app().call(route, { ...options, body }), route).toMatchObject(refused)
    const proof = { ...options, headers: {}, body: { password: caller.password } }
    expect((await app().call('POST /api/auth/step-up', proof)).status).toBe(200)
    const { status, body: answer } = await app().call(route, { ...options, body })
    expect({ status, errors: answer.errors }, route).toEqual({ status: 200, errors: undefined })
  } finally {
    app().clock.advance(-tooOld)
  }
}

describe("a thief with an owner's stolen token cannot", () => {
  const asOwner = (route: string, body: unknown, headers: Record<string, string> = {}) =>
    expectAsked(account.owner, route, body, { headers })
  const password = { password: 'other-pass-1', password_confirmation: 'other-pass-1' }

  async function newLink(): Promise<string> {
    const { body } = await account.as('owner', 'POST /api/v4/password-reset/code')
    return `${body.short_code}-${body.code}`
  }

  test('set the password of another user', () => asOwner(`PUT /api/v4/users/${account.member.id}`, password))

  test('give another user a one-time link', async () => {
    // links belong to the owner, whatever session created them
    await asOwner(`PUT /api/v4/users/${account.member.id}`, { passwordLinkCode: await newLink() })
  })

  test('create a user with a password', () => asOwner('POST /api/v4/users', account.newUser()))

  test('create a user with a one-time link', async () => {
    const none = { password: null, password_confirmation: null }
    const user = account.newUser({ ...none, passwordLinkCode: await newLink() })
    await asOwner('POST /api/v4/users', user)
  })

  test.each(['a password', 'a link'])('imports users with %s', async (secret) => {
    const column = secret === 'a password' ? 'secret12' : ''
    const file = `email,package,password\nann@${account.domain},kolab,${column}\n`
    await asOwner('POST /api/v4/imports?kind=users', file, { 'content-type': 'text/csv' })
    const { rows } = await app().database.pool.query('select id from batches where wallet_id = $1', [
      account.owner.walletId,
    ])
    // the rejected file had no effect
    expect(rows).toHaveLength(1)
  })

  test("delegate a mailbox, or extend a delegate's permissions", async () => {
    const path = `/api/v4/users/${account.owner.id}/delegations`
    const email = account.member.email
    await asOwner(`POST ${path}`, { email, options: { mail: 'read-only' } })
    await asOwner(`PUT ${path}/${email}`, { options: { mail: 'read-write' } })
  })

  test.each([
    { limit_geo: [] },
    { password_policy: null },
    { max_password_age: null },
    { second_factor_policy: 'optional' },
    { staff_access_policy: true },
  ])('set %j', (body) => asOwner(`POST /api/v4/users/${account.owner.id}/config`, body))

  test('authorize an application with the scope api', async () => {
    const client = await makeClient(app())
    await asOwner('POST /api/oauth/approve', authorization(client, { scope: 'openid api' }))
  })

  test('authorize a device with the scope api', async () => {
    const client = await makeClient(app())
    await asOwner('POST /api/oauth/device', async () => {
      const device = await post(app(), '/oauth/device_authorization', client, { scope: 'openid api' })
      return { user_code: device.body.user_code, decision: 'allow' }
    })
  })
})

test('a stale authentication suffices for ordinary edits, and for applications that only identify the user', async () => {
  const client = await makeClient(app())
  const known = await makeClient(app())
  const approve = (body: unknown) => app().call('POST /api/oauth/approve', { token, body })
  await approve(authorization(known, { scope: 'openid api' }))
  app().clock.advance(tooOld)
  expect((await approve(authorization(client, { scope: 'openid email' }))).body.status).toBe('success')
  expect((await approve(authorization(known, { scope: 'openid api' }))).body.status).toBe('success')
  const silent = { ...authorization(client, { scope: 'openid api' }), ifSeen: true }
  expect((await approve(silent)).body.status).toBe('prompt')
  for (const [route, body] of [
    [`PUT /api/v4/users/${account.member.id}`, { first_name: 'Jo', password: null }],
    [`POST /api/v4/users/${account.owner.id}/config`, { greylist_policy: true }],
  ] as const) {
    expect((await app().call(route, { token, body })).status).toBe(200)
  }
  app().clock.advance(-tooOld)
})

describe("a thief with an admin's stolen token cannot", () => {
  const host = 'admin.localhost:8000'

  async function asAdmin(route: string, body: unknown): Promise<void> {
    const admin = await makeUser(app(), { role: 'admin' })
    await expectAsked(admin, route, body, { host })
  }

  test('create or change an OAuth client, or renew its secret', async () => {
    const facts = { scopes: ['openid', 'api'], grants: ['authorization_code'], confidential: true }
    await asAdmin('POST /api/v4/oauth/clients', {
      ...facts,
      name: 'Helper',
      redirect_uris: ['https://app.test/cb'],
    })
    const { id } = await makeClient(app())
    await asAdmin(`PUT /api/v4/oauth/clients/${id}`, { redirect_uris: ['https://thief.test/cb'] })
    await asAdmin(`POST /api/v4/oauth/clients/${id}/secret`, undefined)
  })

  test('remove the protection of an account', async () => {
    const { id } = await makeUser(app())
    await makeTotp(app(), { id })
    await asAdmin(`POST /api/v4/users/${id}/reset-2fa`, {})
    await asAdmin(`POST /api/v4/users/${id}/reset-geolock`, {})
  })

  test('suspend or unsuspend a user', async () => {
    const { id } = await makeUser(app())
    await asAdmin(`POST /api/v4/users/${id}/suspend`, {})
    await asAdmin(`POST /api/v4/users/${id}/unsuspend`, {})
    await asAdmin(`POST /api/v4/domains/${account.domainId}/suspend`, {})
    await asAdmin(`POST /api/v4/domains/${account.domainId}/unsuspend`, {})
  })

  test('give or create a discount', async () => {
    const discount = await makeDiscount(app(), { discount: 50 })
    await asAdmin(`PUT /api/v4/wallets/${account.owner.walletId}`, { discount })
    await asAdmin('POST /api/v4/tenants/0/discounts', { discount: 10, description: 'Friends' })
    await asAdmin(`PUT /api/v4/tenants/0/discounts/${discount}`, { active: false })
  })

  test('approve a booking that a colleague requested', async () => {
    const colleague = await makeUser(app(), { role: 'admin' })
    const by = { userId: colleague.id, role: 'admin', tenantId: 0, email: colleague.email } as const
    const request = await insertOneOff(app().database.db, app().clock, {
      ...{ tenantId: 0, walletId: account.owner.walletId, amount: 100, currency: 'CHF' },
      ...{ description: 'x', by },
    })
    await asAdmin(`POST /api/v4/one-offs/${request}/approve`, {})
  })
})
