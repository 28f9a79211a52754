import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../main/settings/config.ts'
import { impersonate } from '../../testing/borrowed.ts'
import { makeDomain, makeTenant, signInAs } from '../../testing/factories.ts'
import {
  authorization,
  exchange,
  type MadeClient,
  makeClient,
  post,
  type SignedIn,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { ensureBuiltInClients } from '../clients/built-in-clients.ts'

/**
 * Webmail on behalf of another user, as opened by staff and account owners: marked, limited in time and
 * logged.
 */

const settings = {
  APP_WITH_LOGINAS: '1',
  APP_WEBMAIL_URL: '/webmail',
  PASSPORT_WEBMAIL_SSO_CLIENT_ID: '11111111-2222-4333-8444-555555555555',
  PASSPORT_WEBMAIL_SSO_CLIENT_SECRET: 'a secret of at least 32 characters',
}
const server = useOAuthServer(settings)

const cockpit = 'admin.127.0.0.1'
let admin: MadeStaff
let webmail: MadeClient

beforeAll(async () => {
  const { clock, secrets, database, issuer } = server()
  await makeDomain(server(), 'example.test')
  await ensureBuiltInClients(
    { db: database.db, clock, secrets },
    loadConfig({ APP_URL: issuer, ...settings }),
  )
  webmail = {
    id: settings.PASSPORT_WEBMAIL_SSO_CLIENT_ID,
    secret: settings.PASSPORT_WEBMAIL_SSO_CLIENT_SECRET,
    redirectUri: `${issuer}/webmail/index.php/login/oauth`,
  }
  admin = await makeStaff(server(), 'admin')
})

/** Starts an impersonation session of staff. */
const enter = (by: MadeStaff, customer: SignedIn) =>
  impersonate(server(), by, customer.user.id, { host: cockpit })

const ask = (token: string, client: MadeClient, more: Record<string, unknown> = {}) =>
  server().call('POST /api/oauth/approve', {
    token,
    body: { ...authorization(client, { scope: 'openid email auth.token' }), ...more },
  })

/** Returns what the webmail gets once staff have authorised it. */
async function openAsStaff(token: string) {
  const { body } = await ask(token, webmail)
  const code = new URL(body.redirectUrl).searchParams.get('code') ?? ''
  return (await exchange(server(), webmail, code)).body
}

async function openAsOwner(owner: SignedIn, member: SignedIn) {
  const path = `POST /api/v4/users/${member.user.id}/login-as`
  const { body } = await server().call(path, { token: owner.token })
  const code = new URL(body.redirectUrl).searchParams.get('code') ?? ''
  return (await exchange(server(), webmail, code)).body
}

const mailPassword = (tokens: { id_token: string }) => String(decodeJwt(tokens.id_token)['auth.token'])
const mailUser = (tokens: { id_token: string }) => server().oauth.mailPasswords.verify(mailPassword(tokens))
const userInfo = (token: string) => server().call('GET /oauth/userinfo', { token })

async function family() {
  const owner = await signedIn(server(), { plan: 'group' })
  return { owner, member: await signedIn(server(), { walletId: owner.user.walletId }) }
}

describe('staff impersonating a customer', () => {
  test('can open the webmail, which learns who they really are', async () => {
    const customer = await signedIn(server())
    const token = await enter(admin, customer)
    expect((await ask(token, webmail, { ifSeen: true })).body).toMatchObject({
      status: 'prompt',
      client: { name: 'Webmail', email: customer.user.email },
    })
    const tokens = await openAsStaff(token)
    expect(decodeJwt(tokens.id_token)).toMatchObject({
      sub: String(customer.user.id),
      email: customer.user.email,
      act: { sub: String(admin.id), email: admin.email },
    })
    expect((await userInfo(tokens.access_token)).body.act).toEqual({
      sub: String(admin.id),
      email: admin.email,
    })
    expect(await mailUser(tokens)).toBe(customer.user.id)
  })

  test('leave a log entry with both names that the customer sees, and no consent', async () => {
    const customer = await signedIn(server())
    const token = await enter(admin, customer)
    await openAsStaff(token)
    const { body } = await server().call('GET /api/v4/events', { token: customer.token })
    expect(body.list[0]).toMatchObject({
      event: 'user.webmail-opened',
      actor: customer.user.email,
      onBehalf: admin.email,
      data: { client: 'Webmail' },
    })
    const consents = await server().call('GET /api/v4/consents', { token: customer.token })
    expect(consents.body.count).toBe(0)
    // it wasn't authorised beforehand either
    expect((await ask(token, webmail, { ifSeen: true })).body.status).toBe('prompt')
    expect((await ask(customer.token, webmail, { ifSeen: true })).body.status).toBe('prompt')
  })

  test('have access until their session ends, without being able to extend it', async () => {
    const customer = await signedIn(server())
    const token = await enter(admin, customer)
    server().clock.advance(20 * 60)
    const tokens = await openAsStaff(token)
    expect(tokens.refresh_token).toBeUndefined()
    expect(tokens.expires_in).toBeLessThanOrEqual(600)
    expect(tokens.expires_in).toBeGreaterThan(500)
    const { exp = 0, iat = 0 } = decodeJwt(tokens.id_token)
    expect(exp - iat).toBeLessThanOrEqual(600)
    server().clock.advance(8 * 60)
    expect(await mailUser(tokens)).toBe(customer.user.id)
    expect((await userInfo(tokens.access_token)).status).toBe(200)
    server().clock.advance(121)
    expect(await mailUser(tokens)).toBeUndefined()
    expect((await userInfo(tokens.access_token)).status).toBe(401)
    server().clock.advance(-30 * 60 - 1)
  })

  test.each([
    ['sign out', (token: string) => server().call('POST /api/auth/logout', { token })],
    [
      'leave the service',
      (_token: string, staff: MadeStaff) =>
        server()
          .database.db.updateTable('users')
          .set({ deletedAt: new Date() })
          .where('id', '=', staff.id)
          .execute(),
    ],
    [
      'are staff no longer',
      (_token: string, staff: MadeStaff) =>
        server().database.db.updateTable('users').set({ role: null }).where('id', '=', staff.id).execute(),
    ],
  ])('lose access when they %s', async (_, end) => {
    const customer = await signedIn(server())
    const staff = await makeStaff(server(), 'admin')
    const token = await enter(staff, customer)
    const tokens = await openAsStaff(token)
    const waiting = new URL((await ask(token, webmail)).body.redirectUrl).searchParams.get('code') ?? ''
    expect(await mailUser(tokens)).toBe(customer.user.id)
    await end(token, staff)
    expect(await mailUser(tokens)).toBeUndefined()
    expect((await userInfo(tokens.access_token)).status).toBe(401)
    const asked = await post(server(), '/oauth/introspect', webmail, { token: tokens.access_token })
    expect(asked.body).toEqual({ active: false })
    expect((await exchange(server(), webmail, waiting)).body.error).toBe('invalid_grant')
  })

  test('lose access when the customer locks the account down', async () => {
    const customer = await signedIn(server())
    const tokens = await openAsStaff(await enter(admin, customer))
    await server().call('POST /api/v4/lockdown', { token: customer.token, body: {} })
    expect(await mailUser(tokens)).toBeUndefined()
    expect((await userInfo(tokens.access_token)).status).toBe(401)
  })

  test("can't authorise other applications, connect devices or disconnect anything", async () => {
    const customer = await signedIn(server())
    const token = await enter(admin, customer)
    const client = await makeClient(server(), { scopes: ['openid', 'email', 'auth.token'] })
    for (const more of [{}, { ifSeen: true }, { prompt: 'none' }]) {
      expect((await ask(token, client, more)).status).toBe(403)
    }
    const device = await post(server(), '/oauth/device_authorization', client, { scope: 'openid' })
    const body = { user_code: device.body.user_code, decision: 'allow' }
    expect((await server().call('POST /api/oauth/device', { token, body })).status).toBe(403)
    expect((await server().call(`DELETE /api/v4/consents/${client.id}`, { token })).status).toBe(403)
    const path = `POST /api/v4/users/${customer.user.id}/login-as`
    expect((await server().call(path, { token })).status).toBe(403)
  })

  test("can't sign in again as the customer and are always asked for consent", async () => {
    const customer = await signedIn(server())
    const token = await enter(admin, customer)
    const error = async (more: Record<string, unknown>) =>
      new URL((await ask(token, webmail, more)).body.redirectUrl).searchParams.get('error')
    expect(await error({ prompt: 'none' })).toBe('consent_required')
    expect(await error({ prompt: 'login' })).toBe('login_required')
    server().clock.advance(5)
    expect(await error({ max_age: '1' })).toBe('login_required')
    server().clock.advance(-5)
  })

  test("have no access if the account doesn't allow impersonation", async () => {
    const customer = await signedIn(server())
    const { token } = customer
    const config = `POST /api/v4/users/${customer.user.id}/config`
    await server().call(config, { token, body: { staff_access_policy: false } })
    const path = `POST /api/v4/users/${customer.user.id}/login-as`
    expect((await admin.call(path, { host: cockpit, body: { reason: 'Ticket 8' } })).status).toBe(403)
  })

  test('have no access in another tenant', async () => {
    const reseller = await makeStaff(server(), 'reseller', await makeTenant(server(), 71))
    const customer = await signedIn(server())
    const path = `POST /api/v4/users/${customer.user.id}/login-as`
    expect(
      (await reseller.call(path, { host: 'reseller.127.0.0.1', body: { reason: 'Ticket 9' } })).status,
    ).toBe(404)
  })
})

describe('a controller of an account', () => {
  test("can open a member's webmail for an hour, and the webmail learns who they really are", async () => {
    const { owner, member } = await family()
    const tokens = await openAsOwner(owner, member)
    expect(decodeJwt(tokens.id_token)).toMatchObject({
      sub: String(member.user.id),
      act: { sub: String(owner.user.id), email: owner.user.email },
    })
    expect(tokens.refresh_token).toBeUndefined()
    expect(await mailUser(tokens)).toBe(member.user.id)
    // the library uses its own clock, which has advanced
    server().clock.advance(3500)
    expect((await userInfo(tokens.access_token)).status).toBe(200)
    server().clock.advance(101)
    expect(await mailUser(tokens)).toBeUndefined()
    expect((await userInfo(tokens.access_token)).status).toBe(401)
    server().clock.advance(-3601)
  })

  test('loses access by signing out', async () => {
    const { owner, member } = await family()
    const { access_token: token } = await signInAs(server(), owner.user)
    const tokens = await openAsOwner({ ...owner, token }, member)
    expect(await mailUser(tokens)).toBe(member.user.id)
    await server().call('POST /api/auth/logout', { token })
    expect(await mailUser(tokens)).toBeUndefined()
    expect((await userInfo(tokens.access_token)).status).toBe(401)
  })
})

test('a controller who opens their own webmail acts as themselves and stays connected', async () => {
  const person = await signedIn(server())
  const tokens = await openAsStaff(person.token)
  expect(decodeJwt(tokens.id_token)).not.toHaveProperty('act')
  expect(tokens.refresh_token).toBeTruthy()
  await server().call('POST /api/auth/logout', { token: person.token })
  expect(await mailUser(tokens)).toBe(person.user.id)
})
