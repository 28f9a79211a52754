import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeDevice } from '../../testing/companions.ts'
import { type MadeUser, makeUser, signInAs } from '../../testing/factories.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const lines: Record<string, unknown>[] = []
const app = useTestApp({ LOG_LEVEL: 'info' }, undefined, {
  logTo: { write: (line) => lines.push(JSON.parse(line)) },
})
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
let user: MadeUser

beforeEach(async () => {
  // start at a full hour: entries are counted per hour
  app().clock.advance(7200 - (Math.floor(app().clock.now().getTime() / 1000) % 3600))
  user = await makeUser(app())
  lines.length = 0
})

interface LoginOptions {
  readonly ip?: string
  readonly agent?: string
  readonly body?: Record<string, unknown>
}

const login = ({ ip = '203.0.113.9', agent = firefox, body = {} }: LoginOptions = {}): Promise<Answer> =>
  app().call('POST /api/auth/login', {
    ip,
    body: { email: user.email, password: user.password, ...body },
    headers: { 'user-agent': agent },
  })

const fail = (options: LoginOptions = {}) => login({ ...options, body: { password: 'wrong guess' } })

/** The user's activity, oldest first. */
async function entries(event = 'sign-in.%') {
  await app().events.settled()
  const { rows } = await app().database.pool.query(
    `select event, actor_id, actor_email, ip, data, times, created_at, last_at from event_log
      where object_type = 'user' and object_id = $1 and event like $2 order by created_at, data ->> 'factor' nulls first, data ->> 'reason'`,
    [user.id, event],
  )
  return rows
}

const requestLine = () =>
  lines.findLast((line) => line.msg === 'request' && String(line.path).includes('login'))

describe('a sign-in', () => {
  test('is recorded with account, method, address and device if it succeeds', async () => {
    await login()
    expect(await entries()).toEqual([
      {
        event: 'sign-in.succeeded',
        actor_id: user.id,
        actor_email: user.email,
        ip: '203.0.113.9',
        data: { method: 'password', program: 'Firefox', system: 'Linux' },
        times: 1,
        created_at: app().clock.now(),
        last_at: null,
      },
    ])
  })

  test('is recorded with account, method, address and device if it fails', async () => {
    await fail()
    expect(await entries()).toEqual([
      {
        event: 'sign-in.failed',
        actor_id: null,
        actor_email: null,
        ip: '203.0.113.9',
        data: {
          method: 'password',
          reason: 'password',
          network: '203.0.113.0/24',
          program: 'Firefox',
          system: 'Linux',
        },
        times: 1,
        created_at: app().clock.now(),
        last_at: null,
      },
    ])
  })

  test("appears in the user's account, where the owner can see it", async () => {
    await fail()
    await app().events.settled()
    const { access_token: token } = await signInAs(app(), user)
    const { body } = await app().call('GET /api/v4/events?event=sign-in.failed', { token })
    expect(body.list).toMatchObject([
      {
        objectId: user.id,
        event: 'sign-in.failed',
        title: 'Sign-in failed: wrong password',
        ip: '203.0.113.9',
      },
    ])
  })

  test('adds user, method and outcome to the log line of the request', async () => {
    await login()
    expect(requestLine()).toMatchObject({
      userId: user.id,
      tenantId: 0,
      signIn: { method: 'password', outcome: 'accepted' },
      ip: '203.0.113.9',
    })
    await fail()
    expect(requestLine()).toMatchObject({
      userId: user.id,
      signIn: { method: 'password', outcome: 'refused', reason: 'password' },
    })
  })

  test('with an unknown address only writes a log line, without the address', async () => {
    const typed = 'Tr0ub4dor&3-in-the-wrong-field'
    await login({ body: { email: typed } })
    await app().events.settled()
    expect(requestLine()).toMatchObject({
      signIn: { method: 'password', outcome: 'refused', reason: 'unknown' },
    })
    expect(requestLine()).not.toHaveProperty('userId')
    expect(JSON.stringify(lines)).not.toContain('Tr0ub4dor')
    const { rows } = await app().database.pool.query('select * from event_log')
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('tr0ub4dor')
  })

  test('from an excluded country is recorded with its reason', async () => {
    await app()
      .database.db.insertInto('userSettings')
      .values({ userId: user.id, key: 'limit_geo', value: '["CH"]' })
      .execute()
    await login({ ip: '8.8.8.8' })
    expect(await entries()).toMatchObject([{ event: 'sign-in.failed', data: { reason: 'country' } }])
  })

  test('writes no password to the activity or the log', async () => {
    const secret = randomBytes(9).toString('hex')
    await login({ body: { password: secret } })
    expect(JSON.stringify(await entries())).not.toContain(secret)
    expect(JSON.stringify(lines)).not.toContain(secret)
  })

  test('is recorded in one statement with its session', async () => {
    await login()
    const { rows } = await app().database.pool.query(
      `select e.xmin = s.xmin as is_same from event_log e join sessions s on s.user_id = e.object_id
        where e.object_id = $1 and e.event = 'sign-in.succeeded'`,
      [user.id],
    )
    expect(rows).toEqual([{ is_same: true }])
  })
})

describe('an attack on one account', () => {
  test('can be reconstructed: origin, time, frequency and outcome', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await fail({ ip: `198.51.100.${turn + 1}` })
      app().clock.advance(60)
    }
    for (let turn = 0; turn < 12; turn++) await fail({ ip: '192.0.2.1' })
    await login({ ip: '192.0.2.200' })
    app().clock.advance(1000)
    await login({ ip: '192.0.2.200' })
    const found = await entries()
    expect(found).toMatchObject([
      {
        event: 'sign-in.failed',
        ip: '198.51.100.0/24',
        times: 3,
        data: { reason: 'password', network: '198.51.100.0/24' },
      },
      { event: 'sign-in.failed', ip: expect.stringMatching(/^192\.0\.2\./), data: { reason: 'password' } },
      { event: 'sign-in.failed', ip: expect.stringMatching(/^192\.0\.2\./), data: { reason: 'throttled' } },
      { event: 'sign-in.succeeded', ip: '192.0.2.200', times: 1 },
    ])
    expect(found[0].last_at.getTime() - found[0].created_at.getTime()).toBe(120_000)
    expect(found[1].times + found[2].times).toBe(13)
  })

  test('with a thousand failures creates a handful of rows', async () => {
    const refused = { user: user.id, method: 'password', reason: 'password' } as const
    for (let turn = 0; turn < 1000; turn++) {
      app().signIns.refused({ ...refused, place: { ip: `198.51.100.${turn % 250}`, userAgent: firefox } })
    }
    const found = await entries()
    expect(found).toMatchObject([{ ip: '198.51.100.0/24', times: 1000 }])
  })

  test('from a thousand networks creates a few rows, which count every failure', async () => {
    const refused = { user: user.id, method: 'password', reason: 'password' } as const
    for (let turn = 0; turn < 1000; turn++) {
      const ip = `10.${turn % 4}.${Math.floor(turn / 4)}.1`
      app().signIns.refused({ ...refused, place: { ip, userAgent: `Tool${turn}/1.0` } })
    }
    const found = await entries()
    expect(found).toHaveLength(21)
    expect(found.filter(({ ip }) => ip === null)).toMatchObject([
      { times: 980, data: { method: 'password', reason: 'password' } },
    ])
    expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(1000)
  })

  test('that is throttled creates at most a hundred rows across all targeted accounts', async () => {
    const before = await app().database.pool.query('select from event_log')
    const users = await Promise.all(Array.from({ length: 20 }, () => makeUser(app())))
    const ids = [...users.map(({ id }) => id), ...Array.from({ length: 200 }, (_, at) => at + 1)]
    for (const id of ids) {
      app().signIns.refused({
        user: id,
        method: 'password',
        reason: 'throttled',
        place: { ip: '203.0.113.77' },
      })
    }
    await app().events.settled()
    const after = await app().database.pool.query('select from event_log')
    expect(after.rows.length - before.rows.length).toBeLessThanOrEqual(100)
  })

  test('over IPv6 is counted per customer network', async () => {
    for (const last of ['1', '2', 'ffff']) await fail({ ip: `2001:db8:1:2::${last}` })
    expect(await entries()).toMatchObject([{ ip: '2001:db8:1:2::/64', times: 3 }])
  })
})

describe('a companion device', () => {
  test('records a failed sign-in if it is ignored, even without another poll', async () => {
    await makeDevice(app(), user)
    const { body } = await login({ body: { async: true } })
    expect(body.status).toBe('waiting')
    app().clock.advance(200)
    await app().jobs.perform('companions:expire', null)
    expect(await entries('sign-in.failed')).toMatchObject([
      { ip: '203.0.113.9', data: { method: 'password', reason: 'expired', program: 'Firefox' }, times: 1 },
    ])
    await app().jobs.perform('companions:expire', null)
    expect(await entries('sign-in.failed')).toHaveLength(1)
  })

  test('records one as well if the sign-in is abandoned', async () => {
    await makeDevice(app(), user)
    const { attempt, secret } = (await login({ body: { async: true } })).body
    await app().call('POST /api/auth/login/attempt/cancel', { body: { attempt, secret } })
    expect(await entries('sign-in.failed')).toMatchObject([{ data: { reason: 'given-up' } }])
  })

  test('is recorded as the factor of the sign-in it confirms', async () => {
    const device = await makeDevice(app(), user)
    const { attempt, secret, number } = (await login({ body: { async: true } })).body
    const { list } = (await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })).body
    const token = device.token
    await app().call(`POST /api/v4/auth-attempts/${list[0].id}/confirm`, { token, body: { number } })
    await app().call('POST /api/auth/login/attempt', { ip: '203.0.113.9', body: { attempt, secret } })
    expect((await entries('sign-in.succeeded')).at(-1)).toMatchObject({
      data: { method: 'password', factor: 'companion' },
    })
  })
})

test('a reused refresh token is recorded as stolen', async () => {
  const { refresh_token } = await signInAs(app(), user)
  const refresh = () => app().call('POST /api/auth/refresh', { ip: '192.0.2.66', body: { refresh_token } })
  await refresh()
  app().clock.advance(60)
  expect((await refresh()).status).toBe(401)
  expect(await entries('session.%')).toMatchObject([{ event: 'session.token-reused', ip: '192.0.2.66' }])
})

test('a wrong password during a session is recorded as a failed step-up', async () => {
  const { access_token: token } = await signInAs(app(), user)
  const refused = await app().call('POST /api/auth/step-up', { token, body: { password: 'wrong guess' } })
  expect(refused).toMatchObject({ status: 422, body: { errors: { password: expect.any(String) } } })
  expect(await entries('sign-in.proof-failed')).toMatchObject([
    { actor_id: user.id, data: { reason: 'password' }, times: 1 },
  ])
})

describe('a denied permission', () => {
  test('is recorded with user and call, and counted', async () => {
    const other = await makeUser(app())
    const { access_token: token } = await signInAs(app(), user)
    for (let turn = 0; turn < 5; turn++) {
      expect((await app().call(`GET /api/v4/users/${other.id}`, { token })).status).toBe(403)
    }
    expect(await entries('access.%')).toMatchObject([
      { actor_id: user.id, data: { call: 'GET /api/v4/users/:id' }, times: 5 },
    ])
    expect(lines.findLast(({ msg }) => msg === 'request')).toMatchObject({
      status: 403,
      userId: user.id,
      tenantId: 0,
    })
  })

  test('is not recorded if a call only requires reauthentication', async () => {
    const { access_token: token } = await signInAs(app(), user)
    app().clock.advance(700)
    const answer = await app().call('POST /api/v4/lockdown', { token, body: {} })
    expect([answer.status, answer.body.stepUp]).toEqual([403, true])
    expect(await entries('access.%')).toEqual([])
  })
})
