import { userStatus } from '@gatehouse/contract/status'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeDomain,
  makeTotp,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import {
  type Calls,
  home,
  limitGeo,
  makeAppPassword,
  nginxVerdict,
  refusal,
  saslVerdict,
  secondProcess,
  withMailServices,
} from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { PurgePasses } from './purge-passes.ts'

const app = useTestApp(withMailServices)
let other: Calls & AsyncDisposable
let user: MadeUser
let portal: string

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  other = await secondProcess(app())
})
afterAll(() => other[Symbol.asyncDispose]())

beforeEach(async () => {
  user = await makeUser(app())
  portal = (await signInAs(app(), user)).access_token
})

/** Returns the verdicts of both processes, by the proxy and behind it. */
async function verdicts(password = user.password): Promise<unknown[]> {
  const request = { login: user.email, password }
  return [
    await nginxVerdict(app(), request),
    await nginxVerdict(other, request),
    await saslVerdict(app(), request),
    await saslVerdict(other, request),
  ]
}

const letIn = ['OK', 'OK', 200, 200]
const shut = [refusal, refusal, 403, 403]

describe('two processes that have just accepted a user reject them', () => {
  // warms the caches that are tested
  beforeEach(async () => {
    expect(await verdicts()).toEqual(letIn)
    expect(await verdicts()).toEqual(letIn)
  })

  test('after the password has changed', async () => {
    const body = { password: 'another-anchor', password_confirmation: 'another-anchor' }
    const changed = await app().call(`PUT /api/v4/users/${user.id}`, { token: portal, body })
    expect(changed.status).toBe(200)
    expect(await verdicts()).toEqual(shut)
    expect(await verdicts('another-anchor')).toEqual(letIn)
  })

  test.each([
    ['is suspended', () => setStatus(app(), user, userStatus.active | userStatus.suspended)],
    ['is deleted', () => deleteUser(app(), user)],
    ['has a second factor', () => makeTotp(app(), user)],
    ['may sign in from another country alone', () => limitGeo(app(), user, ['US'])],
  ])('after the user %s', async (_what, change) => {
    await change()
    expect(await verdicts()).toEqual(shut)
  })

  test('after the account requires a second factor that the user lacks', async () => {
    const config = { second_factor_policy: 'required' }
    const { status } = await app().call(`POST /api/v4/users/${user.id}/config`, {
      token: portal,
      body: config,
    })
    expect(status).toBe(200)
    expect(await verdicts()).toEqual(shut)
  })

  test('and accept them again when it is undone', async () => {
    await setStatus(app(), user, userStatus.active | userStatus.suspended)
    expect(await verdicts()).toEqual(shut)
    await setStatus(app(), user, userStatus.active)
    expect(await verdicts()).toEqual(letIn)
  })
})

test('an app password stops working as soon as it is deleted', async () => {
  const { id, secret } = await makeAppPassword(app(), user, ['imap'])
  expect(await verdicts(secret)).toEqual(letIn)
  const { status } = await app().call(`DELETE /api/v4/app-passwords/${id}`, { token: portal })
  expect(status).toBe(200)
  expect(await verdicts(secret)).toEqual(shut)
})

test('a lockdown deletes every app password', async () => {
  const { secret } = await makeAppPassword(app(), user, ['imap'])
  expect(await verdicts(secret)).toEqual(letIn)
  const body = { password: 'another-anchor', password_confirmation: 'another-anchor' }
  const { status } = await app().call('POST /api/v4/lockdown', { token: portal, body })
  expect(status).toBe(200)
  expect(await verdicts(secret)).toEqual(shut)
  expect(await verdicts()).toEqual(shut)
})

test('a sign-in during a password change sees one password or the other, never both afterwards', async () => {
  const request = { login: user.email, password: user.password }
  expect(await nginxVerdict(app(), request)).toBe('OK')
  const body = { password: 'another-anchor', password_confirmation: 'another-anchor' }
  const change = app().call(`PUT /api/v4/users/${user.id}`, { token: portal, body })
  const during = Array.from({ length: 20 }, () => nginxVerdict(app(), request))
  expect((await change).status).toBe(200)
  expect(await nginxVerdict(app(), request)).toBe(refusal)
  for (const verdict of await Promise.all(during)) expect(['OK', refusal]).toContain(verdict)
  expect(await nginxVerdict(other, { ...request, ip: home })).toBe(refusal)
})

describe('changes made while a sign-in is waiting take effect for it', () => {
  /** Returns the verdict of a sign-in that has read its user and is blocked until the change is made. */
  async function verdictAround(change: () => Promise<unknown>): Promise<unknown> {
    const gate = await app().database.pool.connect()
    try {
      await gate.query('begin')
      await gate.query('lock table throttles in access exclusive mode')
      const pending = nginxVerdict(app(), { login: user.email, password: user.password })
      await vi.waitUntil(
        async () => {
          const { rows } = await gate.query(
            `select from pg_locks where relation = 'throttles'::regclass and not granted`,
          )
          return rows.length > 0
        },
        { timeout: 10_000 },
      )
      await change()
      await gate.query('commit')
      return await pending
    } finally {
      gate.release(true)
    }
  }

  test('without a change, the user is accepted', async () => {
    expect(await verdictAround(() => Promise.resolve())).toBe('OK')
  })

  test.each([
    ['a suspension', () => setStatus(app(), user, userStatus.active | userStatus.suspended)],
    ['a second factor', () => makeTotp(app(), user)],
    ['a country', () => limitGeo(app(), user, ['US'])],
    ['a deletion', () => deleteUser(app(), user)],
    [
      'another password',
      () =>
        app().database.pool.query('update users set password_hash = $1 where id = $2', [
          '$argon2id$x',
          user.id,
        ]),
    ],
  ])('%s', async (_what, change) => {
    expect(await verdictAround(change)).toBe(refusal)
  })
})

test('processes share state only through the database', async () => {
  await limitGeo(app(), user, ['CH'])
  const request = { login: user.email, password: user.password }
  expect(await saslVerdict(other, request)).toBe(403)
  expect(await nginxVerdict(app(), request)).toBe('OK')
  expect(await saslVerdict(other, request)).toBe(200)
})

test('recent sign-ins are deleted after a day', async () => {
  await limitGeo(app(), user, ['CH'])
  await nginxVerdict(app(), { login: user.email, password: user.password })
  const count = async () => {
    const { rows } = await app().database.pool.query('select from mail_passes where user_id = $1', [user.id])
    return rows.length
  }
  const purge = new PurgePasses(app().database.db, app().clock)
  app().clock.advance(24 * 3600)
  await purge.purge()
  expect(await count()).toBe(1)
  app().clock.advance(1)
  await purge.purge()
  expect(await count()).toBe(0)
})
