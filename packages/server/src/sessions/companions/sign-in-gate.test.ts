import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createDevice, type MadeDevice, makeDevice, pairDevice } from '../../testing/companions.ts'
import { type MadeUser, makeTenant, makeUser, signInAs } from '../../testing/factories.ts'
import { type Answer, createTestApp, useTestApp } from '../../testing/test-app.ts'
import { requireCompanion } from './sign-in-gate.ts'

const app = useTestApp()
let user: MadeUser
let device: MadeDevice
let portal: string

beforeEach(async () => {
  user = await makeUser(app())
  portal = (await signInAs(app(), user)).access_token
  device = await pairDevice(app(), portal)
})

const home = '198.51.100.7'

function login(ip = home, body: Record<string, unknown> = {}): Promise<Answer> {
  return app().call('POST /api/auth/login', {
    ip,
    body: { email: user.email, password: user.password, ...body },
    headers: { 'user-agent': 'Firefox' },
  })
}

const begin = (ip = home) => login(ip, { async: true })

function resume({ attempt, secret }: { attempt: string; secret: string }, wait = 0): Promise<Answer> {
  return app().call('POST /api/auth/login/attempt', { body: { attempt, secret, wait } })
}

const waiting = async (token = device.token) =>
  (await app().call('GET /api/v4/auth-attempts/waiting', { token })).body.list

const decide = (id: string, act: 'confirm' | 'deny', body: unknown = {}, token = device.token) =>
  app().call(`POST /api/v4/auth-attempts/${id}/${act}`, { token, body })

/** Returns the attempt of the user's only address once it is stored. */
async function attemptId(): Promise<string> {
  const find = async () => {
    const found = (await app().call('GET /api/v4/auth-attempts', { token: device.token })).body
    return found.length > 0 && found
  }
  const list = await vi.waitUntil(find, { timeout: 10_000 })
  return list[0].id
}

describe('a login that waits on its connection', () => {
  test('gets its session when a device confirms', async () => {
    const pending = login()
    const confirmed = await decide(await attemptId(), 'confirm')
    expect(confirmed.body).toEqual({ status: 'success' })
    const answer = await pending
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'success', email: user.email })
  })

  test('does not wait if the user has no paired device', async () => {
    const other = await makeUser(app())
    await createDevice(app(), (await signInAs(app(), other)).access_token)
    expect((await signInAs(app(), other)).access_token).toBeTypeOf('string')
  })

  test('prompts no device while the password is wrong', async () => {
    expect((await login(home, { password: 'wrong' })).status).toBe(401)
    expect((await app().call('GET /api/v4/auth-attempts', { token: device.token })).body).toEqual([])
    const pending = begin()
    expect((await pending).status).toBe(202)
  })

  test('is cancelled by a server shutdown', async () => {
    await using own = await createTestApp()
    const somebody = await makeUser(own)
    await makeDevice(own, somebody)
    const pending = own.call('POST /api/auth/login', {
      body: { email: somebody.email, password: somebody.password },
    })
    await vi.waitUntil(async () => {
      const { rows } = await own.database.pool.query('select from sign_in_prompts')
      return rows.length === 1
    })
    // the first step of a shutdown
    await own.fastify.close()
    expect((await pending).status).toBe(503)
  })
})

describe('a polling login', () => {
  test('waits with a number, and succeeds once when a device confirms that number', async () => {
    const { status, body } = await begin()
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: 'waiting', number: expect.stringMatching(/^\d\d$/) })
    expect((await resume(body)).body).toEqual({ status: 'waiting', expiresAt: body.expiresAt })
    const [attempt] = await waiting()
    expect(attempt).toMatchObject({
      ip: home,
      service: 'web',
      userAgent: 'Firefox',
      status: 'NEW',
      prompts: [{ hasNumber: true, service: 'web' }],
    })
    expect(JSON.stringify(attempt)).not.toContain(`"${body.number}"`)
    expect((await decide(attempt.id, 'confirm', { number: body.number })).status).toBe(200)
    const answer = await resume(body)
    expect(answer.body).toMatchObject({ status: 'success', email: user.email, token_type: 'bearer' })
    expect((await resume(body)).status).toBe(401)
  })

  test('is notified of the decision while it waits', async () => {
    const { body } = await begin()
    const pending = resume(body, 25)
    const [attempt] = await waiting()
    await decide(attempt.id, 'confirm', { number: body.number })
    expect((await pending).status).toBe(200)
  })

  test('reports whether it was denied or not confirmed in time', async () => {
    const first = (await begin()).body
    const [attempt] = await waiting()
    await decide(attempt.id, 'deny')
    expect(await resume(first)).toMatchObject({
      status: 401,
      body: { message: 'The sign-in was denied on your device.' },
    })
    const second = (await begin('198.51.100.9')).body
    app().clock.advance(120)
    expect(await resume(second)).toMatchObject({
      status: 401,
      body: { message: 'The sign-in wasn’t approved in time. Try again.' },
    })
  })

  test('requires its secret and throttles guesses', async () => {
    const { body } = await begin()
    for (const wrong of [{ secret: 'x' }, { attempt: 'x' }, { attempt: device.id }]) {
      expect((await resume({ ...body, ...wrong })).status).toBe(401)
    }
  })

  test("ends when the user's password changes", async () => {
    const { body } = await begin()
    const [attempt] = await waiting()
    await decide(attempt.id, 'confirm', { number: body.number })
    await app()
      .database.db.updateTable('users')
      .set({ passwordHash: await app().hasher.hash('other123', 'background') })
      .where('id', '=', user.id)
      .execute()
    expect((await resume(body)).status).toBe(401)
  })

  test('can be cancelled', async () => {
    const { body } = await begin()
    const { attempt, secret } = body
    const cancel = await app().call('POST /api/auth/login/attempt/cancel', { body: { attempt, secret } })
    expect(cancel.body).toEqual({ status: 'success' })
    expect(await waiting()).toEqual([])
    expect((await resume(body)).status).toBe(401)
  })

  test('is limited to three at a time, and frees its slot when it ends', async () => {
    for (const last of [1, 2, 3]) expect((await begin(`198.51.100.${last}`)).status).toBe(202)
    app().clock.advance(60)
    const refused = await begin('198.51.100.4')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    app().clock.advance(60)
    expect((await begin('198.51.100.4')).status).toBe(202)
  })

  test('is limited to three even when many start concurrently', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((last) => begin(`198.51.100.${last}`)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 202, 202, 429, 429])
  })

  test('stops prompting a user who never answers', async () => {
    for (let turn = 0; turn < 10; turn++) {
      expect((await begin()).status).toBe(202)
      app().clock.advance(121)
    }
    expect((await begin()).status).toBe(429)
    app().clock.advance(3600)
    expect((await begin()).status).toBe(202)
  })
})

describe('the number', () => {
  test('is required and must be correct', async () => {
    const { body } = await begin()
    const [attempt] = await waiting()
    expect((await decide(attempt.id, 'confirm')).body.errors).toEqual({
      number: 'Enter the number shown on the sign-in screen.',
    })
    const wrong = body.number === '42' ? '43' : '42'
    expect((await decide(attempt.id, 'confirm', { number: wrong })).body.errors).toEqual({
      number: 'This isn’t the number shown on the sign-in screen. Check it and try again.',
    })
    expect((await resume(body)).status).toBe(202)
    expect((await decide(attempt.id, 'confirm', { number: ` ${body.number} ` })).status).toBe(200)
  })

  test('cannot be guessed', async () => {
    const { body } = await begin()
    const [attempt] = await waiting()
    const wrong = Array.from({ length: 90 }, (_, at) => String(at + 10)).filter((n) => n !== body.number)
    for (const number of wrong.slice(0, 6)) {
      expect((await decide(attempt.id, 'confirm', { number })).status).toBe(422)
    }
    expect((await decide(attempt.id, 'confirm', { number: body.number })).status).toBe(429)
  })

  test('distinguishes two screens at one address', async () => {
    const first = (await begin()).body
    const second = (await begin()).body
    expect(first.number).not.toBe(second.number)
    const [attempt] = await waiting()
    expect(attempt.prompts).toHaveLength(2)
    await decide(attempt.id, 'confirm', { number: second.number, remember: false })
    expect((await resume(first)).status).toBe(202)
    expect((await resume(second)).status).toBe(200)
  })

  test('cannot be confirmed for a screen that no longer waits', async () => {
    await begin()
    const [attempt] = await waiting()
    app().clock.advance(120)
    expect((await decide(attempt.id, 'confirm')).body.errors).toEqual({
      number: 'The sign-in wasn’t approved in time. Try again.',
    })
  })
})

describe('a confirmed address', () => {
  const confirmed = async (body: Record<string, unknown> = {}) => {
    const sign = (await begin()).body
    const [attempt] = await waiting()
    expect((await decide(attempt.id, 'confirm', { number: sign.number, ...body })).status).toBe(200)
    expect((await resume(sign)).status).toBe(200)
    return attempt.id as string
  }

  test('passes for exactly eight hours, and from that address only', async () => {
    await confirmed()
    expect((await login()).status).toBe(200)
    expect((await begin('198.51.100.200')).status).toBe(202)
    app().clock.advance(8 * 3600 - 1)
    expect((await login()).status).toBe(200)
    app().clock.advance(1)
    expect((await begin()).status).toBe(202)
  })

  test('passes once if only once was requested', async () => {
    await confirmed({ remember: false })
    expect((await begin()).status).toBe(202)
  })

  test('no longer passes once it is denied', async () => {
    const id = await confirmed()
    await decide(id, 'deny')
    expect((await login()).status).toBe(401)
  })

  test('is valid for that user only', async () => {
    await confirmed()
    const other = await makeUser(app())
    await makeDevice(app(), other)
    const { status } = await app().call('POST /api/auth/login', {
      ip: home,
      body: { email: other.email, password: other.password, async: true },
    })
    expect(status).toBe(202)
  })
})

describe('a denied address', () => {
  test('is rejected for ten minutes, then prompts again', async () => {
    await begin()
    const [attempt] = await waiting()
    await decide(attempt.id, 'deny')
    expect((await begin()).body.message).toMatch(/^Sign-ins from this network were denied/)
    app().clock.advance(599)
    expect((await login()).status).toBe(401)
    app().clock.advance(1)
    expect((await begin()).status).toBe(202)
  })

  test('can be approved by a device later, if no screen with a number had waited', async () => {
    const pending = login()
    const id = await attemptId()
    await decide(id, 'deny')
    expect((await pending).status).toBe(401)
    expect((await decide(id, 'confirm')).status).toBe(200)
    expect((await login()).status).toBe(200)
  })
})

describe('deciding', () => {
  test("is limited to that user's devices: 403, 404 for other tenants and unknown ids", async () => {
    await begin()
    const [attempt] = await waiting()
    const other = await makeDevice(app(), await makeUser(app()))
    const tenantId = await makeTenant(app(), 41)
    const foreign = await makeDevice(app(), await makeUser(app(), { tenantId }))
    for (const act of ['confirm', 'deny'] as const) {
      expect((await decide(attempt.id, act, {}, other.token)).status).toBe(403)
      expect((await decide(attempt.id, act, {}, foreign.token)).status).toBe(404)
      expect((await decide('0192f0c1-0000-7000-8000-000000000000', act)).status).toBe(404)
      expect((await decide('nothing', act)).status).toBe(404)
    }
    const details = (token: string) =>
      app().call(`GET /api/v4/auth-attempts/${attempt.id}/details`, { token })
    expect((await details(other.token)).status).toBe(403)
    expect((await details(device.token)).body).toMatchObject({
      username: user.email,
      entry: { id: attempt.id, ip: home, status: 'NEW', reason: null },
      prompts: [{ hasNumber: true }],
    })
  })

  test('is allowed in a recently authenticated portal session; others must reauthenticate', async () => {
    const { body } = await begin()
    const [attempt] = await waiting()
    app().clock.advance(1)
    const { access_token: other } = await signInAs(app(), await makeUser(app()))
    expect((await decide(attempt.id, 'confirm', { number: body.number }, other)).status).toBe(403)
    expect((await decide(attempt.id, 'confirm', { number: body.number }, portal)).status).toBe(200)
    app().clock.advance(600)
    const late = (await begin('198.51.100.77')).body
    const [next] = await waiting()
    const refused = await decide(next.id, 'confirm', { number: late.number }, portal)
    expect([refused.status, refused.body.stepUp]).toEqual([403, true])
    expect((await decide(next.id, 'deny', {}, portal)).status).toBe(200)
  })

  test('is recorded', async () => {
    await begin()
    const [attempt] = await waiting()
    await decide(attempt.id, 'deny')
    const { rows } = await app().database.pool.query(
      `select event, actor_id, data from event_log where object_id = $1 and event in ('sign-in.confirmed', 'sign-in.denied')`,
      [user.id],
    )
    expect(rows).toEqual([{ event: 'sign-in.denied', actor_id: user.id, data: { from: home } }])
  })
})

describe('attempts', () => {
  test('are one per address, even with concurrent starts and the longest addresses', async () => {
    const long = '2001:0db8:85a3:0000:0000:8a2e:0370:7334'
    const answers = await Promise.all([1, 2, 3].map(() => begin(long)))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    const { body } = await app().call('GET /api/v4/auth-attempts', { token: device.token })
    expect(body).toHaveLength(1)
    expect(body[0]).toMatchObject({
      ip: expect.stringContaining('2001:'),
      updated_at: expect.stringMatching(/000Z$/),
    })
  })

  test('are listed ten per page, most recently changed first', async () => {
    for (let last = 1; last <= 11; last++) {
      const { number } = (await begin(`198.51.100.${last}`)).body
      app().clock.advance(1)
      const [attempt] = await waiting()
      await decide(attempt.id, 'confirm', { number })
    }
    const list = async (page: number) =>
      (await app().call(`GET /api/v4/auth-attempts?page=${page}`, { token: device.token })).body
    expect((await list(1)).map(({ ip }: { ip: string }) => ip).slice(0, 2)).toEqual([
      '198.51.100.11',
      '198.51.100.10',
    ])
    expect(await list(1)).toHaveLength(10)
    expect(await list(2)).toHaveLength(1)
  })

  test('notify listeners immediately when pending', async () => {
    const first = await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })
    const listening = app().call(`GET /api/v4/auth-attempts/waiting?wait=25&version=${first.body.version}`, {
      token: device.token,
    })
    await begin()
    const heard = await listening
    expect(heard.body.list).toHaveLength(1)
    const ending = app().call(`GET /api/v4/auth-attempts/waiting?wait=25&version=${heard.body.version}`, {
      token: device.token,
    })
    app().clock.advance(120)
    expect((await ending).body.list).toEqual([])
  })

  test('no longer notify a removed device', async () => {
    const { version } = (await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })).body
    const listening = app().call(`GET /api/v4/auth-attempts/waiting?wait=25&version=${version}`, {
      token: device.token,
    })
    await app().call(`DELETE /api/v4/companions/${device.id}`, { token: portal })
    expect((await listening).status).toBe(401)
  })

  test('are deleted after thirty days without a new one', async () => {
    await begin()
    app().clock.advance(30 * 24 * 3600 - 1)
    await app().jobs.perform('purge', null)
    const count = async () =>
      (await app().database.pool.query('select from auth_attempts where user_id = $1', [user.id])).rows.length
    expect(await count()).toBe(1)
    app().clock.advance(2)
    await app().jobs.perform('purge', null)
    expect(await count()).toBe(0)
  })
})

describe('a mail service', () => {
  const ask = (wait: 'here' | 'not' = 'not') => {
    const { database, clock, jobs } = app()
    const parts = { db: database.db, clock, jobs, watch: app().watch, isOffered: true }
    return requireCompanion(parts, { userId: user.id, ip: home, service: 'imap', wait })
  }

  test('is rejected immediately, prompts once regardless of retries, and passes after the confirmation', async () => {
    for (let turn = 0; turn < 5; turn++) await expect(ask()).rejects.toMatchObject({ status: 401 })
    const [attempt] = await waiting()
    expect(attempt.prompts).toMatchObject([{ service: 'imap', hasNumber: false }])
    await decide(attempt.id, 'confirm')
    expect(await ask()).toBeUndefined()
    expect(await ask()).toBeUndefined()
  })

  test('passes only once if only once was allowed', async () => {
    await expect(ask()).rejects.toMatchObject({ status: 401 })
    const [attempt] = await waiting()
    await decide(attempt.id, 'confirm', { remember: false })
    expect(await ask()).toBeUndefined()
    await expect(ask()).rejects.toMatchObject({ status: 401 })
  })
})

test('without companion devices, no one is prompted and the calls do not exist', async () => {
  await using own = await createTestApp({ APP_WITH_COMPANION_APP: '0' })
  const somebody = await makeUser(own)
  const { access_token: token } = await signInAs(own, somebody)
  expect((await own.call('GET /api/v4/companions', { token })).status).toBe(404)
  expect((await own.call('POST /api/v4/companion/pair', { body: {} })).status).toBe(404)
})
