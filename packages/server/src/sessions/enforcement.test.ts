import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../platform/ids.ts'
import { SoftwareAuthenticator } from '../testing/authenticator.ts'
import { makeDevice, pairDevice } from '../testing/companions.ts'
import { type MadeUser, makeTotp, makeUser, signInAs } from '../testing/factories.ts'
import { enrolPasskey, enrolTotp, login } from '../testing/factors.ts'
import { createTestApp, type TestApp, useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let owner: MadeUser
let member: MadeUser
let ownerToken: string

beforeEach(async () => {
  owner = await makeUser(app())
  member = await makeUser(app(), { walletId: owner.walletId })
  ownerToken = (await signInAs(app(), owner)).access_token
})

const call = (route: string, token: string, body?: unknown) => app().call(route, { token, body })
const setPolicy = (value: string | null) =>
  call(`POST /api/v4/users/${owner.id}/config`, ownerToken, { second_factor_policy: value })
const refresh = (token: string) => app().call('POST /api/auth/refresh', { body: { refresh_token: token } })
const mustEnrol = async (token: string) => (await call('GET /api/auth/info', token)).body.mustEnrol

describe('the policy of an account', () => {
  test('is set by its owner and reports its origin', async () => {
    const effective = async () =>
      (await call(`GET /api/v4/users/${member.id}/effective`, ownerToken)).body.second_factor
    expect(await effective()).toEqual({ value: 'optional', source: 'system' })
    expect((await setPolicy('required')).body.config.second_factor_policy).toBe('required')
    expect(await effective()).toEqual({ value: 'required', source: 'account' })
    expect((await call('GET /api/v4/policies', ownerToken)).body.second_factor).toEqual({
      value: 'required',
      source: 'account',
      required: false,
    })
    expect((await setPolicy(null)).body.config.second_factor_policy).toBeNull()
    expect(await effective()).toEqual({ value: 'optional', source: 'system' })
  })

  test.each([true, 'yes', 1, [], {}])('cannot be %j', async (value) => {
    const answer = await call(`POST /api/v4/users/${owner.id}/config`, ownerToken, {
      second_factor_policy: value,
    })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['second_factor_policy']])
  })

  test('cannot be set for a single user', async () => {
    const body = { second_factor_policy: 'required' }
    expect((await call(`POST /api/v4/users/${member.id}/config`, ownerToken, body)).status).toBe(422)
  })

  test('applies only to the users of the account', async () => {
    await setPolicy('required')
    expect((await login(app(), member)).body.mustEnrol).toBe(true)
    expect((await login(app(), await makeUser(app()))).body.mustEnrol).toBeUndefined()
  })

  test('requires nothing of a user with a paired device, which confirms every sign-in', async () => {
    const device = await makeDevice(app(), member)
    await setPolicy('required')
    const { body: waiting } = await login(app(), member, { async: true })
    const { list } = (await call('GET /api/v4/auth-attempts/waiting', device.token)).body
    await call(`POST /api/v4/auth-attempts/${list[0].id}/confirm`, device.token, { number: waiting.number })
    const { attempt, secret } = waiting
    const { body } = await app().call('POST /api/auth/login/attempt', { body: { attempt, secret } })
    expect([body.status, body.mustEnrol]).toEqual(['success', undefined])
    expect((await call('GET /api/v4/users', body.access_token)).status).toBe(200)
    expect((await refresh(body.refresh_token)).body.mustEnrol).toBeUndefined()
  })

  test('keeps the last device of a user without other factors, wherever it is removed', async () => {
    const token = (await signInAs(app(), member)).access_token
    const device = await pairDevice(app(), token)
    const totp = await enrolTotp(app(), token)
    await setPolicy('required')
    // either of the two can be removed while the other exists
    expect((await call(`GET /api/v4/companions/${device.id}`, token)).body).toMatchObject({
      isLast: true,
      isKept: false,
    })
    expect((await call(`DELETE /api/v4/factors/totp/${totp.id}`, token)).status).toBe(200)
    const kept = { isLast: true, isKept: true }
    expect((await call(`GET /api/v4/companions/${device.id}`, token)).body).toMatchObject(kept)
    expect((await call('GET /api/v4/companion', device.token)).body).toMatchObject(kept)
    const { list } = (await call('GET /api/v4/sessions', token)).body
    const session = list.find(({ companion }: { companion: string | null }) => companion !== null)
    for (const [route, as] of [
      [`DELETE /api/v4/companions/${device.id}`, token],
      ['POST /api/v4/companion/unpair', device.token],
      [`DELETE /api/v4/sessions/${session.id}`, token],
    ] as const) {
      const { status, body } = await call(route, as)
      expect([route, status, Object.keys(body.errors ?? {})]).toEqual([route, 422, ['companion']])
    }
    const spare = await pairDevice(app(), token, 'Spare')
    expect((await call(`DELETE /api/v4/companions/${device.id}`, token)).status).toBe(200)
    await setPolicy(null)
    expect((await call(`DELETE /api/v4/companions/${spare.id}`, token)).status).toBe(200)
  })

  test('requires nothing of a user with a factor', async () => {
    const code = await makeTotp(app(), member)
    await setPolicy('required')
    expect((await login(app(), member, { secondfactor: code() })).body.mustEnrol).toBeUndefined()
  })
})

describe('a user who must set up a factor', () => {
  let token: string
  let refreshToken: string

  beforeEach(async () => {
    await setPolicy('required')
    const { body } = await login(app(), member)
    expect(body).toMatchObject({ status: 'success', mustEnrol: true })
    token = body.access_token
    refreshToken = body.refresh_token
  })

  test('may do that, list sessions and sign out, and nothing else', async () => {
    expect(await mustEnrol(token)).toBe(true)
    for (const route of [
      'GET /api/auth/location',
      'GET /api/v4/factors',
      'POST /api/auth/step-up/options',
      'POST /api/v4/factors/totp',
      'POST /api/v4/factors/passkeys/options',
      'POST /api/auth/password-policy-check',
    ]) {
      expect((await call(route, token, route.startsWith('POST') ? {} : undefined)).status, route).toBe(200)
    }
    for (const route of [
      'GET /api/v4/users',
      `GET /api/v4/users/${member.id}`,
      `PUT /api/v4/users/${member.id}`,
      'GET /api/v4/wallets/x',
      'GET /api/v4/search',
      'POST /api/v4/factors/recovery-codes',
      'POST /api/v4/password-reset/code',
    ]) {
      expect((await call(route, token, route.startsWith('GET') ? undefined : {})).status, route).toBe(403)
    }
    expect((await call('POST /api/auth/logout', token)).status).toBe(200)
  })

  test('gains no access by refreshing', async () => {
    const { body } = await refresh(refreshToken)
    expect(body.mustEnrol).toBe(true)
    expect((await call('GET /api/v4/users', body.access_token)).status).toBe(403)
    const viaInfo = await app().call('POST /api/auth/info?refresh=1', {
      body: { refresh_token: body.refresh_token },
    })
    expect(viaInfo.body.mustEnrol).toBe(true)
    expect((await call('GET /api/v4/users', viaInfo.body.access_token)).status).toBe(403)
  })

  test.each(['code generator', 'passkey'])(
    'continues with the same tokens once there is a %s',
    async (kind) => {
      const { recoveryCodes } =
        kind === 'passkey' ? await enrolPasskey(app(), token) : await enrolTotp(app(), token)
      expect(recoveryCodes).toHaveLength(10)
      expect(await mustEnrol(token)).toBeUndefined()
      expect((await call('GET /api/v4/users', token)).status).toBe(200)
      const { status, body } = await refresh(refreshToken)
      expect([status, body.mustEnrol]).toEqual([200, undefined])
      expect((await call('GET /api/v4/users', body.access_token)).status).toBe(200)
    },
  )

  test('gets a response whatever races with the first factor, and its tokens are valid afterwards', async () => {
    for (let round = 0; round < 8; round++) {
      const one = await makeUser(app(), { walletId: owner.walletId })
      const { body } = await login(app(), one)
      const as = body.access_token
      const { body: begun } = await call('POST /api/v4/factors/totp', as, {})
      const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) })
      const code = totp.generate({ timestamp: app().clock.now().getTime() })
      const confirm = `POST /api/v4/factors/totp/${begun.id}/confirm`
      const [confirmed, refreshed, ...others] = await Promise.all([
        call(confirm, as, { code }),
        refresh(body.refresh_token),
        call(confirm, as, { code }),
        call('POST /api/v4/factors/totp', as, {}),
        call('POST /api/v4/factors/passkeys/options', as, {}),
        call('GET /api/v4/factors', as),
        call('GET /api/auth/info', as),
      ])
      for (const { status } of [confirmed, refreshed, ...others])
        expect([200, 401, 403, 404, 422]).toContain(status)
      const isEnrolled = [confirmed, others[0]].some((answer) => answer?.status === 200)
      if (isEnrolled && refreshed.status === 200) {
        expect((await call('GET /api/v4/users', refreshed.body.access_token)).status).toBe(200)
      }
    }
  })

  test('cannot add a factor next to one that another session set up and this one has not proved', async () => {
    const { body: begun } = await call('POST /api/v4/factors/passkeys/options', token, {})
    // simulates a factor set up after the password-only sign-in
    await makeTotp(app(), member)
    const proof = new SoftwareAuthenticator().create(begun)
    expect((await call('POST /api/v4/factors/passkeys', token, proof)).status).toBe(403)
    const { body } = await refresh(refreshToken)
    expect((await call('GET /api/v4/users', body.access_token)).status).toBe(403)
  })

  test('gains no access from a device that another session paired', async () => {
    await setPolicy(null)
    await makeDevice(app(), member)
    await setPolicy('required')
    const { body: begun } = await call('POST /api/v4/factors/passkeys/options', token, {})
    const proof = new SoftwareAuthenticator().create(begun)
    expect((await call('POST /api/v4/factors/passkeys', token, proof)).status).toBe(403)
    const { body } = await refresh(refreshToken)
    expect((await call('GET /api/v4/users', body.access_token)).status).toBe(403)
  })

  test('is unrestricted again when the policy is removed', async () => {
    await setPolicy('optional')
    const { body } = await refresh(refreshToken)
    expect(body.mustEnrol).toBeUndefined()
    expect((await call('GET /api/v4/users', body.access_token)).status).toBe(200)
  })

  test('cannot remove the last factor', async () => {
    const first = await enrolTotp(app(), token)
    const second = await enrolPasskey(app(), token)
    expect((await call('GET /api/v4/factors', token)).body.isLastKept).toBe(true)
    expect((await call(`DELETE /api/v4/factors/totp/${first.id}`, token)).status).toBe(200)
    const refused = await call(`DELETE /api/v4/factors/passkeys/${second.id}`, token)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['factor']])
    expect((await call('GET /api/v4/factors', token)).body.passkeys).toHaveLength(1)
  })

  test('can also get there through a password reset', async () => {
    await call(`PUT /api/v4/users/${member.id}`, ownerToken, { external_email: 'member@elsewhere.test' })
    const { body: begun } = await app().call('POST /api/auth/password-reset/init', {
      body: { email: member.email },
    })
    const mails = await app().mails()
    const short = mails
      .map(({ text }) => /\/password-reset\/([A-Z2-9]{8})-/.exec(text ?? '')?.[1])
      .find(Boolean)
    const password = { password: 'another-anchor', password_confirmation: 'another-anchor' }
    const { body } = await app().call('POST /api/auth/password-reset', {
      body: { code: begun.code, short_code: short, ...password },
    })
    expect(body.mustEnrol).toBe(true)
    expect((await call('GET /api/v4/users', body.access_token)).status).toBe(403)
  })
})

test('sessions older than the policy are restricted at their next refresh', async () => {
  const session = await signInAs(app(), member)
  await setPolicy('required')
  expect((await call('GET /api/v4/users', session.access_token)).status).toBe(200)
  const { body } = await refresh(session.refresh_token)
  expect(body.mustEnrol).toBe(true)
  expect((await call('GET /api/v4/users', body.access_token)).status).toBe(403)
})

describe('the minimum of the installation', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await createTestApp({ STAFF_SECOND_FACTOR: 'required' })
  })
  afterAll(() => strict.close())

  test('is different for staff, whatever their accounts say', async () => {
    const admin = await makeUser(strict, { role: 'admin', settings: { second_factor_policy: 'optional' } })
    expect((await login(strict, admin)).body.mustEnrol).toBe(true)
    const reseller = await makeUser(strict, { role: 'reseller' })
    expect((await login(strict, reseller)).body.mustEnrol).toBe(true)
    expect((await login(strict, await makeUser(strict))).body.mustEnrol).toBeUndefined()
    const { access_token: token } = (await login(strict, admin)).body
    const host = 'admin.localhost:8000'
    expect((await strict.call('GET /api/v4/users?search=x', { token, host })).status).toBe(403)
    await enrolTotp(strict, token)
    expect((await strict.call('GET /api/v4/users?search=x', { token, host })).status).toBe(200)
  })
})

test('a paired device is no second factor if devices are not asked', async () => {
  await using without = await createTestApp({ APP_WITH_COMPANION_APP: '0', SECOND_FACTOR_POLICY: 'required' })
  const user = await makeUser(without)
  const now = without.clock.now()
  const facts = { userId: user.id, name: 'Phone', deviceId: 'device-1', mfaEnabled: true }
  await without.database.db
    .insertInto('companions')
    .values({ ...facts, id: newUuid(), isRecovery: false, createdAt: now, updatedAt: now })
    .execute()
  expect((await login(without, user)).body.mustEnrol).toBe(true)
})

describe('an installation that requires a factor of everyone', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await createTestApp({ SECOND_FACTOR_POLICY: 'required' })
  })
  afterAll(() => strict.close())

  test('does not let an account make it optional', async () => {
    const user = await makeUser(strict)
    const token = (await login(strict, user)).body.access_token
    await enrolTotp(strict, token)
    const set = (value: string | null) =>
      strict.call(`POST /api/v4/users/${user.id}/config`, { token, body: { second_factor_policy: value } })
    expect((await set('optional')).body.errors).toEqual({
      second_factor_policy: expect.stringContaining('required for everyone'),
    })
    expect((await set('required')).status).toBe(200)
    expect((await set(null)).status).toBe(200)
    const { body } = await strict.call('GET /api/v4/policies', { token })
    expect(body.second_factor).toEqual({ value: 'required', source: 'system', required: true })
  })
})
