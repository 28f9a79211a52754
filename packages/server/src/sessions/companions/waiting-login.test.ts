import type { AddressInfo } from 'node:net'
import { blockingLife } from '@gatehouse/contract/sessions/companions'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type MadeDevice, makeDevice, pairDevice } from '../../testing/companions.ts'
import { type MadeUser, makeUser, signInAs } from '../../testing/factories.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const home = '198.51.100.7'
let user: MadeUser
let device: MadeDevice
let portal: string

beforeAll(async () => {
  await app().fastify.listen({ port: 0, host: '127.0.0.1' })
})

beforeEach(async () => {
  user = await makeUser(app())
  portal = (await signInAs(app(), user)).access_token
  device = await pairDevice(app(), portal)
})

const login = (body: Record<string, unknown> = {}): Promise<Answer> =>
  app().call('POST /api/auth/login', {
    ip: home,
    body: { email: user.email, password: user.password, ...body },
  })

const waiting = async () =>
  (await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })).body.list

const untilAsked = () => vi.waitUntil(async () => (await waiting()).length === 1)

const openPrompts = async () => {
  const { rows } = await app().database.pool.query(
    `select from sign_in_prompts where user_id = $1 and status = 'WAITING'`,
    [user.id],
  )
  return rows.length
}

/** Ends the sessions of all the user's devices, as a month without use does. */
const endSessions = () =>
  app().database.pool.query(
    `with gone as (delete from access_tokens where user_id = $1)
    update sessions set revoked_at = now() where user_id = $1`,
    [user.id],
  )

describe('a login that waits on its connection', () => {
  test('ends within the announced time and says that no one approved it', async () => {
    const pending = login()
    await untilAsked()
    app().clock.advance(blockingLife - 1)
    expect(await waiting()).toHaveLength(1)
    app().clock.advance(1)
    expect(await pending).toMatchObject({
      status: 401,
      body: { status: 'error', message: 'The sign-in wasn’t approved in time. Try again.' },
    })
    expect(await waiting()).toEqual([])
  })

  test('ends before reverse proxies time out', () => {
    // HAProxy's default on Debian; nginx and load balancers wait 60 s.
    expect(blockingLife).toBeLessThanOrEqual(50 - 10)
  })

  test('says that a device denied it, not that the password is wrong', async () => {
    const pending = login()
    await untilAsked()
    const [attempt] = await waiting()
    await app().call(`POST /api/v4/auth-attempts/${attempt.id}/deny`, { token: device.token })
    expect(await pending).toMatchObject({
      status: 401,
      body: { message: 'The sign-in was denied on your device.' },
    })
    const again = await login()
    expect([again.status, again.body.message]).toEqual([
      401,
      expect.stringMatching(/^Sign-ins from this network were denied/),
    ])
  })

  test('that is confirmed late succeeds the next time', async () => {
    const pending = login()
    await untilAsked()
    const [attempt] = await waiting()
    app().clock.advance(blockingLife)
    await pending
    await app().call(`POST /api/v4/auth-attempts/${attempt.id}/confirm`, { token: device.token })
    expect((await login()).status).toBe(200)
  })

  test('prompts no one after its client has hung up', async () => {
    const { port } = app().fastify.server.address() as AddressInfo // it listens on TCP
    const hangUp = new AbortController()
    const pending = fetch(`http://127.0.0.1:${port}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': home },
      body: JSON.stringify({ email: user.email, password: user.password }),
      signal: hangUp.signal,
    }).catch((error: unknown) => error)
    await untilAsked()
    hangUp.abort()
    expect(await pending).toMatchObject({ name: 'AbortError' })
    await vi.waitUntil(async () => (await openPrompts()) === 0)
    expect(await waiting()).toEqual([])
  })
})

describe('a user whose devices are all signed out', () => {
  test('is told immediately that no device can confirm, and what to do', async () => {
    await endSessions()
    for (const body of [{}, { async: true }]) {
      expect(await login(body)).toMatchObject({
        status: 401,
        body: { message: expect.stringMatching(/^None of your devices can approve/) },
      })
    }
    expect(await openPrompts()).toBe(0)
  })

  test('is prompted as long as a browser is signed in, which can confirm as well', async () => {
    await app().database.pool.query(
      'update sessions set revoked_at = now() where user_id = $1 and companion_id is not null',
      [user.id],
    )
    expect((await login({ async: true })).status).toBe(202)
  })

  test('gets the wrong-password error while the password is wrong', async () => {
    await endSessions()
    expect((await login({ password: 'wrong' })).body.message).toBe(
      'The e-mail address or password is incorrect.',
    )
  })
})

test('repeatedly starting and abandoning sign-ins does not flood a device with prompts', async () => {
  const begin = async () => {
    const answer = await login({ async: true })
    const { attempt, secret } = answer.body
    if (answer.status === 202) {
      await app().call('POST /api/auth/login/attempt/cancel', { body: { attempt, secret } })
    }
    return answer.status
  }
  for (let turn = 0; turn < 10; turn++) expect(await begin()).toBe(202)
  expect(await begin()).toBe(429)
})

test('a device that was paired without a push token confirms sign-ins', async () => {
  const other = await makeUser(app())
  const paired = await makeDevice(app(), other)
  const { status, body } = await app().call('POST /api/auth/login', {
    body: { email: other.email, password: other.password, async: true },
  })
  expect(status).toBe(202)
  const { list } = (await app().call('GET /api/v4/auth-attempts/waiting', { token: paired.token })).body
  const confirmed = await app().call(`POST /api/v4/auth-attempts/${list[0].id}/confirm`, {
    token: paired.token,
    body: { number: body.number },
  })
  expect(confirmed.status).toBe(200)
})
