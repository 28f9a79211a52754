import { beforeEach, describe, expect, test } from 'vitest'
import { wireDate } from '../../platform/clock.ts'
import { type Deviation, SoftwareAuthenticator } from '../../testing/authenticator.ts'
import { deleteUser, type MadeUser, makeUser, signInAs } from '../../testing/factories.ts'
import { enrolPasskey, enrolTotp, login, loginChallenge } from '../../testing/factors.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser
let token: string

beforeEach(async () => {
  user = await makeUser(app())
  token = (await signInAs(app(), user)).access_token
})

const call = (route: string, body?: unknown, as = token) => app().call(route, { token: as, body })
const overview = async () => (await call('GET /api/v4/factors')).body
const begin = async (as = token) => (await call('POST /api/v4/factors/passkeys/options', {}, as)).body

describe('setting up a passkey', () => {
  test('asks for a discoverable credential and requests no attestation', async () => {
    const { options } = await begin()
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Gatehouse' },
      user: { name: user.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
      excludeCredentials: [],
    })
    expect(Buffer.from(options.user.id, 'base64url').toString('latin1')).not.toContain(String(user.id))
  })

  test('stores it with its name, and returns recovery codes with the first factor only', async () => {
    const { id, recoveryCodes } = await enrolPasskey(app(), token)
    expect(recoveryCodes).toHaveLength(10)
    const second = await enrolPasskey(app(), token, new SoftwareAuthenticator('http://localhost:8000', true))
    expect(second.recoveryCodes).toBeUndefined()
    expect(await overview()).toMatchObject({
      passkeys: [
        { id, name: 'My laptop', isBackedUp: false, last_used_at: null },
        { id: second.id, isBackedUp: true },
      ],
      recovery: { left: 10 },
      stepUp: ['passkey', 'recovery'],
    })
  })

  test('does not accept the same authenticator twice', async () => {
    await enrolPasskey(app(), token)
    expect((await begin()).options.excludeCredentials).toHaveLength(1)
  })

  test.each<[string, Deviation]>([
    ['from the page of another site', { origin: 'http://evil.test' }],
    ['for another domain', { rpId: 'evil.test' }],
    ['of another kind', { type: 'webauthn.get' }],
    ['to no challenge', { challenge: 'nonsense' }],
    ['to a challenge that there is not', { challenge: '01890000-0000-7000-8000-000000000000' }],
  ])('rejects a response %s', async (_, deviation) => {
    const body = new SoftwareAuthenticator().create(await begin(), deviation)
    const answer = await call('POST /api/v4/factors/passkeys', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['response']])
    expect((await overview()).passkeys).toEqual([])
  })

  test('rejects malformed input without failing itself', async () => {
    const { device } = await enrolPasskey(app(), token)
    const noise = [
      '',
      'AAAA',
      'gA',
      'v38',
      'oWNmbXRkbm9uZQ',
      '9'.repeat(8000),
      'not base64!',
      '\u0000',
      7,
      null,
      {},
    ]
    for (const part of noise) {
      const asked = await begin()
      const made = new SoftwareAuthenticator().create(asked)
      const keys = ['clientDataJSON', 'attestationObject', 'transports'] as const
      for (const key of keys) {
        const body = structuredClone(made) as { response: { response: Record<string, unknown> } }
        body.response.response[key] = part
        const { status } = await call('POST /api/v4/factors/passkeys', body)
        expect([200, 422], `${key} ${JSON.stringify(part)}`).toContain(status)
      }
      for (const key of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
        const { body: open } = await app().call('POST /api/auth/passkey/options')
        const body = device.get(open) as unknown as { response: { response: Record<string, unknown> } }
        body.response.response[key] = part
        const { status } = await app().call('POST /api/auth/passkey', { body })
        expect([401, 422, 429], `${key} ${JSON.stringify(part)}`).toContain(status)
      }
    }
  })

  test("accepts a response from a cockpit's host", async () => {
    await enrolPasskey(app(), token, new SoftwareAuthenticator('http://admin.localhost:8000'))
    expect((await overview()).passkeys).toHaveLength(1)
  })

  test('is limited to the host where browsers do not share passkeys between hosts', async () => {
    const admin = await makeUser(app(), { role: 'admin' })
    const staff = (await signInAs(app(), admin)).access_token
    const host = 'admin.localhost:8000'
    const cockpit = (route: string, body: unknown = {}, as?: string) =>
      app().call(route, { body, host, ...(as !== undefined && { token: as }) })
    const { body: begun } = await cockpit('POST /api/v4/factors/passkeys/options', {}, staff)
    expect(begun.options.rp.id).toBe('admin.localhost')
    const device = new SoftwareAuthenticator('http://admin.localhost:8000')
    const made = await cockpit('POST /api/v4/factors/passkeys', device.create(begun), staff)
    expect(made.status).toBe(200)
    const { body: asked } = await cockpit('POST /api/auth/passkey/options')
    expect(asked.options.rpId).toBe('admin.localhost')
    expect((await cockpit('POST /api/auth/passkey', device.get(asked))).status).toBe(200)
  })

  test('accepts a response once and within the time limit', async () => {
    const body = new SoftwareAuthenticator().create(await begin())
    const answers = await Promise.all([1, 2, 3].map(() => call('POST /api/v4/factors/passkeys', body)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422, 422])
    const late = new SoftwareAuthenticator().create(await begin())
    app().clock.advance(300)
    expect((await call('POST /api/v4/factors/passkeys', late)).status).toBe(422)
  })

  test('accepts no response from another session or of another user', async () => {
    const { access_token: second } = await signInAs(app(), user)
    const { access_token: stranger } = await signInAs(app(), await makeUser(app()))
    const body = new SoftwareAuthenticator().create(await begin())
    for (const other of [second, stranger]) {
      expect((await call('POST /api/v4/factors/passkeys', body, other)).status).toBe(422)
    }
    expect((await call('POST /api/v4/factors/passkeys', body)).status).toBe(200)
  })

  test('rejects a passkey that is already registered', async () => {
    const device = new SoftwareAuthenticator()
    const first = await begin()
    const { access_token: other } = await signInAs(app(), await makeUser(app()))
    expect((await call('POST /api/v4/factors/passkeys', device.create(first))).status).toBe(200)
    const theirs = await begin(other)
    const stolen = device.create(theirs)
    const mine = await app().database.db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow()
    await app()
      .database.db.updateTable('passkeys')
      .set({ credentialId: Buffer.from(stolen.response.id, 'base64url') })
      .where('id', '=', mine.id)
      .execute()
    const answer = await call('POST /api/v4/factors/passkeys', stolen, other)
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { response: 'This passkey is already in use.' },
    ])
  })
})

describe('a passkey as second factor', () => {
  test('signs in together with the password, and its use is recorded', async () => {
    const { device } = await enrolPasskey(app(), token)
    const missing = await login(app(), user)
    expect(missing).toMatchObject({
      status: 422,
      body: { factors: ['passkey', 'recovery'], passkey: { options: { userVerification: 'preferred' } } },
    })
    const passkey = device.get(missing.body.passkey, { isUnverified: true })
    expect((await login(app(), user, { passkey })).status).toBe(200)
    expect((await overview()).passkeys[0].last_used_at).toBe(wireDate(app().clock.now()))
  })

  test('works once per challenge, also with fifty concurrent responses', async () => {
    const { device } = await enrolPasskey(app(), token)
    const passkey = device.get(await loginChallenge(app(), user))
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(app(), user, { passkey })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 422 && status !== 429)).toEqual([])
  })

  test('is useless without the right password, and then its existence is not revealed', async () => {
    const { device } = await enrolPasskey(app(), token)
    const passkey = device.get(await loginChallenge(app(), user))
    const wrong = await login(app(), user, { password: 'wrong', passkey })
    const plain = await login(app(), await makeUser(app()), { password: 'wrong' })
    expect([wrong.status, wrong.body]).toEqual([plain.status, plain.body])
    // someone without the password did not consume the challenge
    expect((await login(app(), user, { passkey })).status).toBe(200)
  })

  test('rejects a challenge that is expired, used, of another user or for another purpose', async () => {
    const { device } = await enrolPasskey(app(), token)
    const other = await makeUser(app())
    const theirs = await enrolPasskey(app(), (await signInAs(app(), other)).access_token)
    const invalid = {
      status: 422,
      body: { errors: { secondfactor: expect.stringContaining('wasn’t accepted') } },
    }
    const attempt = (passkey: unknown) => login(app(), user, { passkey })
    const stepUp = (await call('POST /api/auth/step-up/options')).body.passkey
    const alone = (await app().call('POST /api/auth/passkey/options')).body
    expect(await attempt(device.get(stepUp))).toMatchObject(invalid)
    expect(await attempt(device.get(alone))).toMatchObject(invalid)
    expect(await attempt(device.get(await loginChallenge(app(), other)))).toMatchObject(invalid)
    const mine = await loginChallenge(app(), user)
    expect(await attempt(theirs.device.get(mine))).toMatchObject(invalid)
    const late = device.get(await loginChallenge(app(), user))
    app().clock.advance(301)
    expect(await attempt(late)).toMatchObject(invalid)
    app().clock.advance(3600)
    expect((await attempt(device.get(await loginChallenge(app(), user)))).status).toBe(200)
  })

  test.each<[string, Deviation]>([
    ['from the page of another site', { origin: 'https://localhost.evil.test' }],
    ['for another domain', { rpId: 'evil.test' }],
    ['of another kind', { type: 'webauthn.create' }],
    ['under the name of somebody else', { userHandle: 'AAAA' }],
  ])('rejects a response %s', async (_, deviation) => {
    const { device } = await enrolPasskey(app(), token)
    const passkey = device.get(await loginChallenge(app(), user), deviation)
    expect((await login(app(), user, { passkey })).status).toBe(422)
  })

  test('with a decreasing counter was cloned: it is rejected, recorded and reported by mail', async () => {
    const { device } = await enrolPasskey(app(), token)
    const thief = device.clone()
    expect(
      (await login(app(), user, { passkey: device.get(await loginChallenge(app(), user)) })).status,
    ).toBe(200)
    const copied = thief.get(await loginChallenge(app(), user))
    expect((await login(app(), user, { passkey: copied })).status).toBe(422)
    const { body } = await call('GET /api/v4/events')
    expect(body.list[0]).toMatchObject({ event: 'user.passkey-cloned', data: { name: 'My laptop' } })
    const told = (await app().mails()).filter(
      ({ to, subject }) => to[0]?.address === user.email && /may have been copied$/.test(subject ?? ''),
    )
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain('My laptop')
    expect(
      (await login(app(), user, { passkey: device.get(await loginChallenge(app(), user)) })).status,
    ).toBe(200)
  })

  test('without a counter is accepted repeatedly', async () => {
    const device = new SoftwareAuthenticator()
    device.counter = undefined
    await enrolPasskey(app(), token, device)
    for (const _ of [1, 2]) {
      const passkey = device.get(await loginChallenge(app(), user))
      expect((await login(app(), user, { passkey })).status).toBe(200)
    }
  })

  test('no longer signs in once removed', async () => {
    const { device, id } = await enrolPasskey(app(), token)
    await enrolTotp(app(), token)
    const asked = await loginChallenge(app(), user)
    expect((await call(`DELETE /api/v4/factors/passkeys/${id}`)).status).toBe(200)
    expect((await login(app(), user, { passkey: device.get(asked) })).status).toBe(422)
  })
})

describe('a passkey without a password', () => {
  const ask = async () => (await app().call('POST /api/auth/passkey/options')).body
  const enter = (body: unknown, ip?: string) =>
    app().call('POST /api/auth/passkey', { body, ...(ip !== undefined && { ip }) })
  const refused = {
    status: 401,
    body: {
      status: 'error',
      message: 'This passkey can’t be used to sign in. Use your password or another passkey.',
    },
  }

  test('replaces password and second factor', async () => {
    const { device } = await enrolPasskey(app(), token)
    const asked = await ask()
    expect(asked.options).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    const { status, body } = await enter(device.get(asked))
    expect([status, body.email]).toEqual([200, user.email])
    expect((await app().call('GET /api/auth/info', { token: body.access_token })).status).toBe(200)
  })

  test('is rejected without user verification', async () => {
    const { device } = await enrolPasskey(app(), token)
    expect(await enter(device.get(await ask(), { isUnverified: true }))).toMatchObject(refused)
  })

  test('is rejected with the same message whatever is wrong', async () => {
    const { device } = await enrolPasskey(app(), token)
    const unknown = new SoftwareAuthenticator()
    unknown.create(await begin())
    const used = device.get(await ask())
    await enter(used)
    const late = device.get(await ask())
    app().clock.advance(301)
    const cases = [
      unknown.get(await ask()),
      used,
      late,
      device.get(await loginChallenge(app(), user)),
      device.get(await ask(), { origin: 'http://evil.test' }),
      device.get(await ask(), { userHandle: '' }),
      device.get(await ask(), { userHandle: 'AAAA' }),
    ]
    for (const proof of cases) expect(await enter(proof)).toMatchObject(refused)
  })

  test('does not open a deleted account, nor one locked to another country', async () => {
    const { device } = await enrolPasskey(app(), token)
    const { db } = app().database
    const lock = { userId: user.id, key: 'limit_geo', value: '["CH"]' }
    await db.insertInto('userSettings').values(lock).execute()
    expect(await enter(device.get(await ask()), '8.8.8.8')).toMatchObject(refused)
    await db.deleteFrom('userSettings').where('userId', '=', user.id).where('key', '=', 'limit_geo').execute()
    await db.updateTable('users').set({ role: 'service' }).where('id', '=', user.id).execute()
    expect(await enter(device.get(await ask()))).toMatchObject(refused)
    await db.updateTable('users').set({ role: null }).where('id', '=', user.id).execute()
    expect((await enter(device.get(await ask()))).status).toBe(200)
    await deleteUser(app(), user)
    expect(await enter(device.get(await ask()))).toMatchObject(refused)
  })

  test('can be requested on every page load, up to a limit', async () => {
    const ip = '203.0.113.9'
    const open = () => app().call('POST /api/auth/passkey/options', { ip })
    const answers = []
    for (let page = 0; page < 201; page++) answers.push((await open()).status)
    expect(answers.indexOf(429)).toBe(200)
    app().clock.advance(301)
    expect((await open()).status).toBe(200)
  })
})
