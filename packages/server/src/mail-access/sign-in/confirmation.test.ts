import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type MadeDevice, makeDevice } from '../../testing/companions.ts'
import { deleteUser, type MadeUser, makeDomain, makeUser } from '../../testing/factories.ts'
import {
  type Calls,
  home,
  limitGeo,
  makeAppPassword,
  nginxVerdict,
  type ProxyRequest,
  refusal,
  saslVerdict,
  secondProcess,
  withMailServices,
} from '../../testing/servers/mail-services.ts'
import { createTestApp, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp(withMailServices)
const patient = { timeout: 10_000 }
let other: Calls & AsyncDisposable
let user: MadeUser
let device: MadeDevice

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  other = await secondProcess(app())
})
afterAll(() => other[Symbol.asyncDispose]())

beforeEach(async () => {
  user = await makeUser(app())
  device = await makeDevice(app(), user)
})

const ask = (change: Partial<ProxyRequest> = {}, calls: Calls = app()) =>
  nginxVerdict(calls, { login: user.email, password: user.password, ...change })

const waiting = async () => {
  const { body } = await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })
  return body.list
}

/** Decides the pending confirmation as soon as there is one. */
async function decide(act: 'confirm' | 'deny', body: Record<string, unknown> = {}): Promise<void> {
  const [attempt] = await vi.waitUntil(async () => {
    const list = await waiting()
    return list.length > 0 && list
  }, patient)
  const { status } = await app().call(`POST /api/v4/auth-attempts/${attempt.id}/${act}`, {
    token: device.token,
    body,
  })
  expect(status).toBe(200)
}

describe('a mail client with the account password', () => {
  test('waits for the companion device, which shows the request, and is accepted on confirmation', async () => {
    const pending = ask({ protocol: 'smtp' })
    await vi.waitUntil(async () => (await waiting()).length > 0, patient)
    expect(await waiting()).toMatchObject([
      { ip: home, service: 'smtp', prompts: [{ hasNumber: false, service: 'smtp' }] },
    ])
    await decide('confirm')
    expect(await pending).toBe('OK')
    // valid for eight hours for that address
    expect(await ask()).toBe('OK')
    app().clock.advance(8 * 3600 - 1)
    expect(await ask()).toBe('OK')
  })

  test('is rejected like with a wrong password if the device denies it, then immediately for ten minutes', async () => {
    const pending = ask()
    await decide('deny')
    expect(await pending).toBe(refusal)
    expect(await ask()).toBe(refusal)
    expect(await waiting()).toEqual([])
  })

  test('is rejected after the timeout, and accepted when it retries after the confirmation', async () => {
    const pending = ask()
    await vi.waitUntil(async () => (await waiting()).length > 0, patient)
    app().clock.advance(45)
    expect(await pending).toBe(refusal)
    await decide('confirm')
    expect(await ask()).toBe('OK')
  })

  test('asks once, however many connections it opens in any process', async () => {
    const pending = [ask(), ask(), ask({}, other), ask({}, other)]
    await vi.waitUntil(async () => (await waiting()).length > 0, patient)
    await decide('confirm')
    expect(await Promise.all(pending)).toEqual(['OK', 'OK', 'OK', 'OK'])
    const { rows } = await app().database.pool.query('select from sign_in_prompts where user_id = $1', [
      user.id,
    ])
    expect(rows).toHaveLength(1)
  })

  test('does not ask if the password is wrong, the country is blocked or the user is suspended', async () => {
    expect(await ask({ password: 'wrong' })).toBe(refusal)
    await limitGeo(app(), user, ['US'])
    expect(await ask()).toBe(refusal)
    expect(await waiting()).toEqual([])
  })

  test.each([
    [
      'the password was changed',
      () => app().database.pool.query(`update users set password_hash = 'x' where id = $1`, [user.id]),
    ],
    ['the user was deleted', () => deleteUser(app(), user)],
    ['the country was shut', () => limitGeo(app(), user, ['US'])],
    [
      'the user was suspended',
      () => app().database.pool.query('update users set status = status | 4 where id = $1', [user.id]),
    ],
  ])('is not accepted if confirmed after %s', async (_what, change) => {
    const pending = ask()
    await vi.waitUntil(async () => (await waiting()).length > 0, patient)
    const [attempt] = await waiting()
    await change()
    await app().database.pool.query(
      `update auth_attempts set status = 'ACCEPTED', expires_at = $2 where id = $1`,
      [attempt.id, new Date(app().clock.now().getTime() + 3600_000)],
    )
    expect(await pending).toBe(refusal)
  })

  test('may keep only a handful of connections waiting', async () => {
    const verdicts: unknown[] = []
    const all = Array.from({ length: 30 }, () => ask().then((verdict) => verdicts.push(verdict)))
    await vi.waitUntil(() => verdicts.length === 20, patient)
    expect(new Set(verdicts)).toEqual(new Set([refusal]))
    await decide('confirm')
    await Promise.all(all)
    expect(verdicts.slice(20)).toEqual(Array.from({ length: 10 }, () => 'OK'))
  })

  test('with an app password needs no confirmation', async () => {
    const { secret } = await makeAppPassword(app(), user, ['imap'])
    expect(await ask({ password: secret })).toBe('OK')
    expect(await waiting()).toEqual([])
  })
})

describe('the server behind the proxy', () => {
  const behind = (calls: Calls = app()) => saslVerdict(calls, { login: user.email, password: user.password })

  test('accepts a confirmed user for a minute, but never on its own', async () => {
    expect(await behind()).toBe(403)
    const pending = ask()
    await decide('confirm', { remember: false })
    expect(await pending).toBe('OK')
    expect(await behind()).toBe(200)
    expect(await behind(other)).toBe(200)
    app().clock.advance(60)
    expect(await behind()).toBe(403)
  })

  test('rejects the user as soon as the device denies a later request', async () => {
    const pending = ask()
    await vi.waitUntil(async () => (await waiting()).length > 0, patient)
    const [attempt] = await waiting()
    await decide('confirm')
    expect(await pending).toBe('OK')
    await app().call(`POST /api/v4/auth-attempts/${attempt.id}/deny`, { token: device.token })
    expect(await behind()).toBe(403)
  })

  test('does not accept the account password because of an app password sign-in', async () => {
    await limitGeo(app(), user, ['CH'])
    const { secret } = await makeAppPassword(app(), user, ['imap'])
    expect(await ask({ password: secret })).toBe('OK')
    expect(await behind()).toBe(403)
  })
})

test('without companion devices, no confirmation is requested', async () => {
  await using without = await secondProcess(app(), { ...withMailServices, APP_WITH_COMPANION_APP: '0' })
  expect(await ask({}, without)).toBe('OK')
})

test('a server that shuts down ends pending requests without a decision', async () => {
  await using own = await createTestApp(withMailServices)
  const somebody = await makeUser(own)
  await makeDevice(own, somebody)
  const pending = nginxVerdict(own, { login: somebody.email, password: somebody.password })
  await vi.waitUntil(async () => {
    const { rows } = await own.database.pool.query('select from sign_in_prompts')
    return rows.length === 1
  }, patient)
  await own.fastify.close()
  expect(await pending).toBe('temporary authentication failure')
})
