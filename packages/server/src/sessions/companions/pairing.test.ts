import { beforeEach, describe, expect, test } from 'vitest'
import { createDevice, makeDevice, pair, pairDevice } from '../../testing/companions.ts'
import { type MadeUser, makeTenant, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser
let token: string

beforeEach(async () => {
  user = await makeUser(app())
  token = (await signInAs(app(), user)).access_token
})

const read = (id: string, as = token) => app().call(`GET /api/v4/companions/${id}`, { token: as })
const pairing = (id: string, as = token) => app().call(`GET /api/v4/companions/${id}/pairing`, { token: as })
const remove = (id: string, as = token) => app().call(`DELETE /api/v4/companions/${id}`, { token: as })

describe('a companion device', () => {
  test('is created unpaired, listed and read', async () => {
    const made = await app().call('POST /api/v4/companions', { token, body: { name: 'My phone' } })
    expect(made.body).toMatchObject({ status: 'success', message: 'Companion device created.' })
    const facts = { name: 'My phone', device_id: '', mfa_enabled: 0, notification_token: null, pairing: null }
    expect((await app().call('GET /api/v4/companions', { token })).body).toMatchObject({
      list: [{ ...facts, id: made.body.id, isReady: false, isRecovery: false }],
      count: 1,
      hasMore: false,
    })
    expect((await read(made.body.id)).body).toMatchObject({ ...facts, statusInfo: { isReady: false } })
  })

  test('requires a name of at most 512 characters', async () => {
    for (const name of [undefined, '', 'x'.repeat(513)]) {
      const { status, body } = await app().call('POST /api/v4/companions', { token, body: { name } })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['name']])
    }
    expect(await createDevice(app(), token, { name: 'x'.repeat(512) })).toBeTypeOf('string')
  })

  test('is limited to twenty per user, also when created concurrently', async () => {
    const calls = Array.from({ length: 23 }, () =>
      app().call('POST /api/v4/companions', { token, body: { name: 'n' } }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 422)).toHaveLength(3)
    const second = await app().call('GET /api/v4/companions?page=2', { token })
    expect(second.body).toMatchObject({ list: [], count: 0, hasMore: false })
  })

  test('belongs to its owner: 403 for others, even in the account, 404 for other tenants and unknown ids', async () => {
    const id = await createDevice(app(), token)
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    const memberToken = (await signInAs(app(), member)).access_token
    const ownId = await createDevice(app(), memberToken)
    const ownerToken = (await signInAs(app(), owner)).access_token
    const foreigner = await makeUser(app(), { tenantId: await makeTenant(app(), 31) })
    const foreign = (await signInAs(app(), foreigner)).access_token
    for (const act of [read, pairing, remove]) {
      expect((await act(ownId, ownerToken)).status).toBe(403)
      expect((await act(id, ownerToken)).status).toBe(403)
      expect((await act(id, foreign)).status).toBe(404)
      expect((await act('0192f0c1-0000-7000-8000-000000000000')).status).toBe(404)
      expect((await act('nothing')).status).toBe(404)
    }
    expect((await read(id)).status).toBe(200)
  })
})

describe('pairing', () => {
  test('returns the documented fields, a QR code, and a link whose secret no server receives', async () => {
    const id = await createDevice(app(), token)
    const { body } = await pairing(id)
    expect(body).toMatchObject({
      serverUrl: 'http://localhost:8000',
      clientIdentifier: id,
      companionId: id,
      username: user.email,
      link: `http://localhost:8000/companion-app#${id}.${body.clientSecret}`,
    })
    expect(body.clientSecret).toMatch(/^[0-9a-zA-Z]{40}$/)
    expect(Buffer.from(body.qrcode.replace('data:image/svg+xml;base64,', ''), 'base64').toString()).toContain(
      '<svg',
    )
    expect((await read(id)).body.pairing).toMatchObject({ expires_at: body.expiresAt })
  })

  test('stores only hashes', async () => {
    const id = await createDevice(app(), token)
    const { body } = await pairing(id)
    const { rows } = await app().database.pool.query(
      'select * from companion_pairings where companion_id = $1',
      [id],
    )
    expect(JSON.stringify(rows)).not.toContain(body.clientSecret)
    expect(rows).toHaveLength(1)
  })

  test.each(['secret', 'code'])('by %s gives a session of scope mfa and nothing more', async (way) => {
    const id = await createDevice(app(), token)
    const { body } = await pairing(id)
    const sent =
      way === 'code' ? { code: body.code.toLowerCase() } : { companionId: id, secret: body.clientSecret }
    const paired = await pair(app(), { ...sent, name: 'Pixel', deviceId: 'abcd' })
    expect(paired.body).toMatchObject({ status: 'success', companionId: id, username: user.email })
    const device = paired.body.access_token
    expect((await app().call('GET /api/v4/companion', { token: device })).body).toMatchObject({
      id,
      name: 'Pixel',
      username: user.email,
      isLast: true,
    })
    for (const route of ['GET /api/auth/info', 'GET /api/v4/companions', `GET /api/v4/users/${user.id}`]) {
      expect((await app().call(route, { token: device })).status).toBe(403)
    }
    expect((await pairing(id, device)).status).toBe(403)
    expect((await read(id)).body).toMatchObject({
      name: 'Pixel',
      device_id: 'abcd',
      mfa_enabled: 1,
      pairing: null,
      isLast: true,
      statusInfo: { isReady: true },
    })
  })

  test('works once, even with concurrent requests', async () => {
    const id = await createDevice(app(), token)
    const { clientSecret: secret } = (await pairing(id)).body
    const answers = await Promise.all([1, 2, 3].map(() => pair(app(), { companionId: id, secret })))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401])
    expect((await pair(app(), { companionId: id, secret })).status).toBe(401)
  })

  test('expires after ten minutes', async () => {
    const id = await createDevice(app(), token)
    const { clientSecret: secret } = (await pairing(id)).body
    app().clock.advance(600)
    expect((await pair(app(), { companionId: id, secret })).status).toBe(401)
    expect((await read(id)).body.pairing).toBeNull()
    app().clock.advance(-1)
    expect((await pair(app(), { companionId: id, secret })).status).toBe(200)
  })

  test('has one secret at a time: a new one invalidates the previous one', async () => {
    const id = await createDevice(app(), token)
    const { clientSecret: first } = (await pairing(id)).body
    const { clientSecret: second } = (await pairing(id)).body
    expect((await pair(app(), { companionId: id, secret: first })).status).toBe(401)
    expect((await pair(app(), { companionId: id, secret: second })).status).toBe(200)
  })

  test('shows no secret for a paired device', async () => {
    const { id } = await pairDevice(app(), token)
    expect((await pairing(id)).status).toBe(409)
  })

  test('accepts a secret for its own device only, and throttles guesses', async () => {
    const id = await createDevice(app(), token)
    const other = await createDevice(app(), token)
    const { clientSecret: secret } = (await pairing(other)).body
    for (let guess = 0; guess < 6; guess++) {
      expect((await pair(app(), { companionId: id, secret })).status).toBe(401)
    }
    expect((await pair(app(), { companionId: id, secret })).status).toBe(429)
    expect((await pair(app(), {})).status).toBe(401)
    expect((await pair(app(), { companionId: 'x', secret })).status).toBe(401)
  })

  test('requires the device to name itself', async () => {
    const { status, body } = await pair(app(), { deviceId: 'abc', name: 'x'.repeat(513) })
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['deviceId', 'name']])
  })

  test('keeps the name set in the portal if the device has none', async () => {
    const id = await createDevice(app(), token, { name: 'My phone' })
    const { code } = (await pairing(id)).body
    expect((await pair(app(), { code, name: '' })).status).toBe(200)
    expect((await read(id)).body.name).toBe('My phone')
  })

  test('is reported by mail and recorded', async () => {
    await pairDevice(app(), token, 'My tablet')
    const mail = (await app().mails()).find(({ to }) => JSON.stringify(to).includes(user.email))
    expect(mail?.text).toContain('My tablet')
    const events = await app().database.pool.query(
      `select event from event_log where object_id = $1 and event like 'companion.%' order by created_at, id`,
      [user.id],
    )
    expect(events.rows.map(({ event }) => event)).toEqual(['companion.created', 'companion.paired'])
  })
})

describe('a recovery device', () => {
  test('has a secret that is valid for a year and requires the password', async () => {
    const id = await createDevice(app(), token, { name: 'Safe', recovery: true })
    const { clientSecret: secret } = (await pairing(id)).body
    app().clock.advance(364 * 24 * 3600)
    const sent = { companionId: id, secret }
    expect((await pair(app(), sent)).body.errors).toEqual({
      password: 'Enter your account password too.',
    })
    expect((await pair(app(), { ...sent, password: 'wrong' })).body.errors).toEqual({
      password: 'This password is incorrect.',
    })
    expect((await pair(app(), { ...sent, password: user.password })).status).toBe(200)
    expect((await pair(app(), { ...sent, password: user.password })).status).toBe(401)
    app().clock.advance(-364 * 24 * 3600)
  })

  test('accepts an owner who lost their only other device', async () => {
    const id = await createDevice(app(), token, { name: 'Safe', recovery: true })
    const { code } = (await pairing(id)).body
    await pairDevice(app(), token)
    const waiting = await app().call('POST /api/auth/login', {
      body: { email: user.email, password: user.password, async: true },
    })
    expect(waiting.status).toBe(202)
    const device = (await pair(app(), { code, password: user.password })).body.access_token
    const { list } = (await app().call('GET /api/v4/auth-attempts/waiting', { token: device })).body
    const confirmed = await app().call(`POST /api/v4/auth-attempts/${list[0].id}/confirm`, {
      token: device,
      body: { number: waiting.body.number },
    })
    expect(confirmed.status).toBe(200)
  })
})

describe('registering', () => {
  const facts = { notificationToken: 'push-token', deviceId: 'device-2', name: 'Renamed' }
  const register = (companionId: string, as: string, body = {}) =>
    app().call('POST /api/v4/companion/register', { token: as, body: { ...facts, companionId, ...body } })

  test("updates a paired device's details; its token is never shown", async () => {
    const device = await pairDevice(app(), token)
    expect((await register(device.id, device.token)).body).toEqual({ status: 'success' })
    expect((await register(device.id, token)).status).toBe(200)
    const { body } = await read(device.id)
    expect(body).toMatchObject({ device_id: 'device-2', name: 'Renamed', notification_token: null })
    expect(JSON.stringify(body)).not.toContain('push-token')
  })

  test('does not pair a device without its secret', async () => {
    const id = await createDevice(app(), token)
    const device = await pairDevice(app(), token)
    expect((await register(id, token)).status).toBe(403)
    expect((await register(id, device.token)).status).toBe(403)
    expect((await read(id)).body.mfa_enabled).toBe(0)
  })

  test("rejects other users' devices (403), unknown ones (404) and invalid ones (422)", async () => {
    const device = await pairDevice(app(), token)
    const other = await makeDevice(app(), await makeUser(app()))
    expect((await register(device.id, other.token)).status).toBe(403)
    expect((await register('nothing', device.token)).status).toBe(404)
    const { body } = await register(device.id, device.token, {
      notificationToken: 'abc',
      deviceId: 'abc',
      name: '',
    })
    expect(Object.keys(body.errors).sort()).toEqual(['deviceId', 'name', 'notificationToken'])
  })
})

describe('removing a device', () => {
  test('ends its session immediately, including refreshed tokens', async () => {
    const device = await pairDevice(app(), token)
    expect((await remove(device.id)).body.message).toBe('Companion device removed.')
    expect((await app().call('GET /api/v4/auth-attempts', { token: device.token })).status).toBe(401)
    const body = { refresh_token: device.refreshToken }
    expect((await app().call('POST /api/auth/refresh', { body })).status).toBe(401)
    expect((await read(device.id)).status).toBe(404)
    expect((await remove(device.id)).status).toBe(404)
  })

  test('is allowed for the device itself', async () => {
    const device = await pairDevice(app(), token)
    expect((await app().call('POST /api/v4/companion/unpair', { token: device.token })).status).toBe(200)
    expect((await app().call('GET /api/v4/companion', { token: device.token })).status).toBe(401)
    expect((await read(device.id)).status).toBe(404)
  })

  test('disables confirmation with the last paired device and reports that by mail', async () => {
    const first = await pairDevice(app(), token, 'First')
    const second = await pairDevice(app(), token, 'Second')
    const login = () =>
      app().call('POST /api/auth/login', {
        body: { email: user.email, password: user.password, async: true },
      })
    expect((await login()).status).toBe(202)
    await remove(first.id)
    expect((await login()).status).toBe(202)
    expect((await read(second.id)).body.isLast).toBe(true)
    await remove(second.id)
    expect((await login()).status).toBe(200)
    const mails = (await app().mails()).filter(({ to }) => JSON.stringify(to).includes(user.email))
    expect(mails.map(({ subject }) => subject)).toContain(
      'Sign-ins to your Gatehouse account no longer need approval',
    )
  })
})

describe('the session of a device', () => {
  const isGood = async (device: { token: string }) =>
    (await app().call('GET /api/v4/companion', { token: device.token })).status === 200

  test('survives a password change and the end of all other sessions; only the device itself ends it', async () => {
    const device = await pairDevice(app(), token)
    const others = await app().call('POST /api/v4/sessions/revoke-others', { token, body: {} })
    expect(others.body).toMatchObject({ status: 'success', count: 0 })
    const changed = await app().call(`PUT /api/v4/users/${user.id}`, {
      token,
      body: { password: 'other-456-Pass', password_confirmation: 'other-456-Pass' },
    })
    expect(changed.status).toBe(200)
    expect(await isGood(device)).toBe(true)
  })

  test('grants only what a device needs, even after a refresh', async () => {
    const device = await pairDevice(app(), token)
    const refused = async (as: string) => {
      for (const route of [
        'GET /api/auth/info',
        `GET /api/v4/users/${user.id}`,
        `PUT /api/v4/users/${user.id}`,
        'GET /api/v4/users',
        'GET /api/v4/factors',
        'POST /api/v4/factors/totp',
        'POST /api/v4/factors/recovery-codes',
        'POST /api/v4/companions',
        'POST /api/v4/app-passwords',
        'POST /api/v4/password-reset/code',
        'POST /api/v4/lockdown',
        'POST /api/auth/step-up',
        'GET /api/v4/sessions',
      ]) {
        const body = route.startsWith('GET') ? undefined : { name: 'x', password: user.password }
        expect((await app().call(route, { token: as, body })).status, route).toBe(403)
      }
      expect(await isGood({ token: as })).toBe(true)
    }
    await refused(device.token)
    const refreshed = await app().call('POST /api/auth/refresh', {
      body: { refresh_token: device.refreshToken },
    })
    await refused(refreshed.body.access_token)
    const again = await app().call('POST /api/auth/info?refresh=1', {
      body: { refresh_token: refreshed.body.refresh_token },
    })
    await refused(again.body.access_token)
  })

  test('is named after the device in the session list and can be ended there', async () => {
    const device = await pairDevice(app(), token, 'Tablet')
    const { list } = (await app().call('GET /api/v4/sessions', { token })).body
    const session = list.find(({ companion }: { companion: string | null }) => companion === 'Tablet')
    const ended = await app().call(`DELETE /api/v4/sessions/${session.id}`, { token })
    expect(ended.body.message).toBe('Companion device removed.')
    expect(await isGood(device)).toBe(false)
    expect((await read(device.id)).status).toBe(404)
  })

  test('ends with a lockdown, like the device and the confirmation', async () => {
    const device = await pairDevice(app(), token, 'Tablet')
    await createDevice(app(), token, { name: 'Unused' })
    const { body } = await app().call('POST /api/v4/lockdown', { token, body: {} })
    expect(body.revoked.companions).toEqual(['Tablet'])
    expect(await isGood(device)).toBe(false)
    expect((await app().call('GET /api/v4/companions', { token })).body.list).toEqual([])
    expect((await signInAs(app(), user)).access_token).toBeTypeOf('string')
  })
})
