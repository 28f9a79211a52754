import { beforeEach, describe, expect, test } from 'vitest'
import { SoftwareAuthenticator } from '../../testing/authenticator.ts'
import { type MadeUser, makeUser, signInAs } from '../../testing/factories.ts'
import { enrolPasskey, enrolTotp, login } from '../../testing/factors.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser
let token: string
let refreshToken: string

beforeEach(async () => {
  user = await makeUser(app())
  const session = await signInAs(app(), user)
  token = session.access_token
  refreshToken = session.refresh_token
})

const call = (route: string, body?: unknown, as = token) => app().call(route, { token: as, body })
const stepUp = (proof: unknown, as = token) => call('POST /api/auth/step-up', proof, as)
const grow = (seconds = 600) => app().clock.advance(seconds)
const begin = (as = token) => call('POST /api/v4/factors/totp', {}, as)

describe('a session authenticated ten minutes ago', () => {
  const asked = {
    status: 403,
    body: {
      status: 'error',
      message: 'Sign out and sign in again to confirm it’s you.',
      stepUp: true,
      factors: ['password'],
    },
  }

  test('must reauthenticate for calls that change access to the account or move money', async () => {
    grow()
    const id = '01890000-0000-7000-8000-000000000000'
    for (const route of [
      'POST /api/v4/factors/totp',
      `PUT /api/v4/factors/totp/${id}`,
      `DELETE /api/v4/factors/totp/${id}`,
      'POST /api/v4/factors/passkeys/options',
      `PUT /api/v4/factors/passkeys/${id}`,
      `DELETE /api/v4/factors/passkeys/${id}`,
      'POST /api/v4/factors/recovery-codes',
      'POST /api/v4/payments/mandate',
      'PUT /api/v4/payments/mandate',
      'DELETE /api/v4/payments/mandate',
      `DELETE /api/v4/users/${user.id}`,
    ]) {
      expect(await call(route, {}), route).toEqual(expect.objectContaining(asked))
    }
    for (const body of [
      { password: 'another-anchor', password_confirmation: 'another-anchor' },
      { external_email: 'thief@elsewhere.test' },
    ]) {
      expect(await call(`PUT /api/v4/users/${user.id}`, body)).toMatchObject(asked)
    }
    expect(await call(`POST /api/v4/users/${user.id}/config`, { second_factor_policy: null })).toMatchObject(
      asked,
    )
  })

  test('can do everything else', async () => {
    grow()
    expect((await call('GET /api/v4/factors')).status).toBe(200)
    expect((await call(`PUT /api/v4/users/${user.id}`, { first_name: 'Jo' })).status).toBe(200)
    const member = await makeUser(app(), { walletId: user.walletId })
    expect((await call(`DELETE /api/v4/users/${member.id}`)).status).toBe(200)
  })

  test('need not reauthenticate a second earlier', async () => {
    grow(599)
    expect((await begin()).status).toBe(200)
  })

  test('is not renewed by a refresh', async () => {
    grow(300)
    const { body } = await app().call('POST /api/auth/refresh', { body: { refresh_token: refreshToken } })
    grow(300)
    expect(await begin(body.access_token)).toMatchObject(asked)
  })

  test('makes staff reauthenticate before giving money and before impersonating a customer', async () => {
    const admin = await makeUser(app(), { role: 'admin' })
    const { access_token: staff } = await signInAs(app(), admin)
    grow()
    for (const [route, body] of [
      [`POST /api/v4/wallets/${user.walletId}/one-off`, { amount: 1, description: 'Sorry' }],
      [`POST /api/v4/users/${user.id}/login-as`, { reason: 'asked for help' }],
      [`PUT /api/v4/users/${user.id}`, { external_email: 'a@elsewhere.test' }],
    ] as const) {
      const answer = await app().call(route, { token: staff, host: 'admin.localhost:8000', body })
      expect(answer, route).toMatchObject(asked)
    }
  })
})

describe('reauthentication', () => {
  test('with the password allows the calls for ten minutes, also with refreshed tokens', async () => {
    grow()
    expect((await call('POST /api/auth/step-up/options')).body).toEqual({
      status: 'success',
      factors: ['password'],
    })
    const { status, body } = await stepUp({ password: user.password })
    expect([status, body.until]).toEqual([200, expect.stringMatching(/^2026-/)])
    expect((await begin()).status).toBe(200)
    const refreshed = await app().call('POST /api/auth/refresh', { body: { refresh_token: refreshToken } })
    expect((await begin(refreshed.body.access_token)).status).toBe(200)
    grow()
    expect((await begin(refreshed.body.access_token)).status).toBe(403)
  })

  test('applies to this session only', async () => {
    const { access_token: other } = await signInAs(app(), user)
    grow()
    await stepUp({ password: user.password })
    expect((await begin(other)).status).toBe(403)
  })

  test('fails with a wrong password or none, and is throttled', async () => {
    grow()
    expect(await stepUp({})).toMatchObject({ status: 422, body: { errors: { password: expect.anything() } } })
    for (let guess = 1; guess <= 6; guess++) {
      expect(await stepUp({ password: 'wrong' })).toMatchObject({
        status: 422,
        body: { errors: { password: 'This password is incorrect.' } },
      })
    }
    expect((await stepUp({ password: user.password })).status).toBe(429)
    expect((await begin()).status).toBe(403)
  })

  test('requires the second factor if there is one: the password alone is not enough', async () => {
    const { code, recoveryCodes = [] } = await enrolTotp(app(), token)
    grow()
    expect(await begin()).toMatchObject({ status: 403, body: { factors: ['totp', 'recovery'] } })
    expect(await stepUp({ password: user.password })).toMatchObject({
      status: 422,
      body: { errors: { secondfactor: expect.anything() }, factors: ['totp', 'recovery'] },
    })
    expect((await begin()).status).toBe(403)
    const once = code()
    expect((await stepUp({ secondfactor: once })).status).toBe(200)
    expect((await stepUp({ secondfactor: once })).status).toBe(422)
    grow()
    expect((await stepUp({ secondfactor: recoveryCodes[0] })).status).toBe(200)
    expect((await begin()).status).toBe(200)
  })

  test("accepts a passkey, but not another user's, nor in another session", async () => {
    const { device } = await enrolPasskey(app(), token)
    const stranger = await makeUser(app())
    const { access_token: theirs } = await signInAs(app(), stranger)
    const foreign = await enrolPasskey(app(), theirs, new SoftwareAuthenticator())
    const asked = await login(app(), user)
    const second = await login(app(), user, { passkey: device.get(asked.body.passkey) })
    grow()
    const challenge = async (as = token) =>
      (await call('POST /api/auth/step-up/options', {}, as)).body.passkey
    const mine = await challenge()
    expect(mine.options.allowCredentials).toHaveLength(1)
    expect((await stepUp({ passkey: foreign.device.get(mine) })).status).toBe(422)
    // another user's response to that user's challenge
    expect((await stepUp({ passkey: foreign.device.get(await challenge(theirs)) })).status).toBe(422)
    expect((await stepUp({ passkey: device.get(await challenge(second.body.access_token)) })).status).toBe(
      422,
    )
    const atLogin = (await login(app(), user)).body.passkey
    expect((await stepUp({ passkey: device.get(atLogin) })).status).toBe(422)
    expect((await begin()).status).toBe(403)
    expect((await stepUp({ passkey: device.get(await challenge()) })).status).toBe(200)
    expect((await begin()).status).toBe(200)
  })
})
