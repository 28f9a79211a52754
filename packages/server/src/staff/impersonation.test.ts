import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeDomain, makeTenant, makeUser, signInAs } from '../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let admin: MadeStaff
let reseller: MadeStaff
let user: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', await makeTenant(app(), 9))
  user = await makeUser(app())
})

const reason = 'Ticket 12: cannot see the calendar'

async function begin(by: MadeStaff, id: number): Promise<string> {
  const { status, body } = await by.call(`POST /api/v4/users/${id}/login-as`, { body: { reason } })
  expect(status).toBe(200)
  const url = new URL(body.redirectUrl)
  expect(url.pathname).toBe('/login-as')
  return url.hash.slice(1)
}

async function enter(by: MadeStaff, id: number) {
  const { status, body } = await app().call('POST /api/auth/login-as', {
    body: { code: await begin(by, id) },
  })
  expect(status).toBe(200)
  return body as { access_token: string; refresh_token: string; expires_in: number; impersonatedBy: unknown }
}

describe('staff who impersonate a customer', () => {
  test('act as the customer, and all session information names the real person', async () => {
    const session = await enter(admin, user.id)
    const until = '2026-03-10 12:30:00'
    expect(session).toMatchObject({ id: user.id, expires_in: 1800 })
    expect(session.impersonatedBy).toEqual({ email: admin.email, reason, until })
    const { body } = await app().call('GET /api/auth/info', { token: session.access_token })
    expect(body).toMatchObject({ email: user.email, impersonatedBy: { email: admin.email, until } })
    const own = await signInAs(app(), user)
    expect((await app().call('GET /api/auth/info', { token: own.access_token })).body).not.toHaveProperty(
      'impersonatedBy',
    )
  })

  test('are still identified after a page reload, which refreshes the tokens', async () => {
    const { refresh_token } = await enter(admin, user.id)
    const { body } = await app().call('POST /api/auth/info?refresh=1', { body: { refresh_token } })
    expect(body).toMatchObject({ email: user.email, impersonatedBy: { email: admin.email, reason } })
    const own = await signInAs(app(), user)
    const again = { body: { refresh_token: own.refresh_token } }
    expect((await app().call('POST /api/auth/info?refresh=1', again)).body).not.toHaveProperty(
      'impersonatedBy',
    )
  })

  test('leave both names in the activity the customer sees', async () => {
    const { access_token: token } = await enter(admin, user.id)
    await app().call(`PUT /api/v4/users/${user.id}`, { token, body: { first_name: 'Helped' } })
    await app().call('POST /api/auth/logout', { token })
    expect((await app().call('GET /api/auth/info', { token })).status).toBe(401)
    const { body } = await admin.call(`GET /api/v4/eventlog/user/${user.id}`)
    const [ended, changed, begun] = body.list
    expect(ended).toMatchObject({ kind: 'user.impersonation-ended', user: user.email, onBehalf: admin.email })
    expect(changed).toMatchObject({ kind: 'user.updated', user: user.email, onBehalf: admin.email })
    expect(begun).toMatchObject({ kind: 'user.impersonated', user: admin.email, comment: reason })
    const { access_token: own } = await signInAs(app(), user)
    const seen = await app().call('GET /api/v4/events', { token: own })
    expect(seen.body.list[1]).toMatchObject({ event: 'user.updated', onBehalf: admin.email })
    expect(seen.body.list[2]).toMatchObject({ event: 'user.impersonated', actor: admin.email })
  })

  test('are signed out after half an hour, however often they refresh', async () => {
    const session = await enter(admin, user.id)
    app().clock.advance(20 * 60)
    const refreshed = await app().call('POST /api/auth/refresh', {
      body: { refresh_token: session.refresh_token },
    })
    expect(refreshed.body.expires_in).toBe(600)
    const token = refreshed.body.access_token
    expect((await app().call('GET /api/auth/info', { token })).body).toHaveProperty('impersonatedBy')
    app().clock.advance(10 * 60 + 1)
    expect((await app().call('GET /api/auth/info', { token })).status).toBe(401)
    const late = { refresh_token: refreshed.body.refresh_token }
    expect((await app().call('POST /api/auth/refresh', { body: late })).status).toBe(401)
    app().clock.advance(-(30 * 60 + 1))
  })

  test('can change neither password nor money', async () => {
    const { access_token: token } = await enter(admin, user.id)
    const password = { password: 'Other-pass-1', password_confirmation: 'Other-pass-1' }
    const refused = async (route: string, body: unknown) => {
      const answer = await app().call(route, { token, body })
      expect(answer.status, route).toBe(403)
      expect(answer.body.message).toBe('You can’t do this in a support session.')
    }
    await refused(`PUT /api/v4/users/${user.id}`, password)
    await refused('POST /api/v4/password-reset/code', {})
    await refused(`PUT /api/v4/wallets/${user.walletId}/settings`, { monthly_ceiling: 1 })
    await refused(`DELETE /api/v4/users/${user.id}`, undefined)
    await refused(`POST /api/v4/users/${user.id}/config`, { staff_access_policy: false })
  })
})

describe('a code', () => {
  const take = (code: string) => app().call('POST /api/auth/login-as', { body: { code } })

  test('works once', async () => {
    const code = await begin(admin, user.id)
    expect((await take(code)).status).toBe(200)
    expect((await take(code)).status).toBe(401)
  })

  test('expires after a minute', async () => {
    const code = await begin(admin, user.id)
    app().clock.advance(61)
    expect((await take(code)).status).toBe(401)
    app().clock.advance(-61)
  })

  test('is rejected if guessed, or on a staff host', async () => {
    expect((await take('guess')).status).toBe(401)
    const code = await begin(admin, user.id)
    const there = await app().call('POST /api/auth/login-as', {
      body: { code },
      host: 'admin.localhost:8000',
    })
    expect(there.status).toBe(404)
  })
})

describe('staff cannot impersonate', () => {
  const ask = (by: MadeStaff, id: number, body: unknown = { reason }) =>
    by.call(`POST /api/v4/users/${id}/login-as`, { body })

  test('without a reason', async () => {
    expect(await ask(admin, user.id, {})).toMatchObject({
      status: 422,
      body: { errors: { reason: expect.anything() } },
    })
  })

  test('themselves, each other, or users of other tenants', async () => {
    const colleague = await makeStaff(app(), 'admin')
    expect((await ask(admin, admin.id)).status).toBe(403)
    expect((await ask(admin, colleague.id)).status).toBe(403)
    expect((await ask(admin, reseller.id)).status).toBe(403)
    expect((await ask(reseller, user.id)).status).toBe(404)
  })

  test('users of an account that denies it', async () => {
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    const { access_token: token } = await signInAs(app(), owner)
    const set = (value: boolean | null) =>
      app().call(`POST /api/v4/users/${owner.id}/config`, { token, body: { staff_access_policy: value } })
    expect((await set(false)).status).toBe(200)
    for (const id of [owner.id, member.id]) {
      expect((await ask(admin, id)).body.message).toBe(
        'This account doesn’t allow support staff to sign in as its users.',
      )
    }
    await set(null)
    expect((await ask(admin, member.id)).status).toBe(200)
  })

  test('anyone after they have left', async () => {
    const leaver = await makeStaff(app(), 'admin')
    const { access_token: token } = await enter(leaver, user.id)
    const { db } = app().database
    await db.updateTable('users').set({ role: null }).where('id', '=', leaver.id).execute()
    expect((await app().call('GET /api/auth/info', { token })).status).toBe(401)
  })
})
