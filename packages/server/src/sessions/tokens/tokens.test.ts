import { userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import { deleteUser, makeUser, setStatus, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { RefreshTokenInvalid } from './refresh-errors.ts'
import { Tokens } from './tokens.ts'

const app = useTestApp()

const info = (token?: string) => app().call('GET /api/auth/info', { token })

let caller = 0
const refresh = (refresh_token: unknown, headers: Record<string, string> = {}) =>
  app().call('POST /api/auth/refresh', {
    body: { refresh_token },
    headers,
    ip: `198.51.100.${++caller % 250}`,
  })

const home = { ip: '192.0.2.77', userAgent: 'Firefox', cookie: 'scheme=dark' }

/** The same from a given client. */
const refreshFrom = ({ ip, userAgent, cookie }: typeof home, refresh_token: unknown) =>
  app().call('POST /api/auth/refresh', {
    body: { refresh_token },
    headers: { 'user-agent': userAgent, cookie },
    ip,
  })

async function session() {
  const user = await makeUser(app())
  const tokens = await signInAs(app(), user)
  return { user, access: tokens.access_token, renewal: tokens.refresh_token }
}

describe('an access token', () => {
  test('is required', async () => {
    const answer = await info()
    expect(answer).toMatchObject({ status: 401, body: { status: 'error', message: 'Unauthorized' } })
  })

  test.each(['x', 'Bearer', 'null', 'undefined', '../../etc', "' or 1=1", 'x'.repeat(600), 'ü'])(
    '%s is invalid',
    async (token) => {
      expect((await info(token)).status).toBe(401)
    },
  )

  test('is invalid if truncated, in another case, or with another scheme', async () => {
    const { access } = await session()
    expect((await info(access.slice(1))).status).toBe(401)
    expect((await info(access.toUpperCase())).status).toBe(401)
    const basic = { authorization: `Basic ${access}` }
    expect((await app().call('GET /api/auth/info', { headers: basic })).status).toBe(401)
    const lower = { authorization: `bearer ${access}` }
    expect((await app().call('GET /api/auth/info', { headers: lower })).status).toBe(200)
  })

  test('is not read from the query or the body', async () => {
    const { access } = await session()
    expect((await app().call(`GET /api/auth/info?access_token=${access}`)).status).toBe(401)
    expect((await app().call('POST /api/auth/logout', { body: { access_token: access } })).status).toBe(401)
  })

  test('is not accepted as a refresh token, nor vice versa', async () => {
    const { access, renewal } = await session()
    expect((await info(renewal)).status).toBe(401)
    expect((await refresh(access)).status).toBe(401)
  })

  test('lasts an hour', async () => {
    const { access } = await session()
    app().clock.advance(3599)
    expect((await info(access)).status).toBe(200)
    app().clock.advance(1)
    expect((await info(access)).status).toBe(401)
  })

  test('of a deleted user is invalid', async () => {
    const { user, access, renewal } = await session()
    await deleteUser(app(), user)
    expect((await info(access)).status).toBe(401)
    expect((await refresh(renewal)).status).toBe(401)
  })

  test('without the right scope grants nothing', async () => {
    const { user } = await session()
    const { db, pool } = app().database
    const tokens = new Tokens(db, pool, app().clock, { access: 60, refresh: 60 })
    const pair = await tokens.begin(db, user.id, { ip: '::1', userAgent: '' }, ['mfa'])
    expect((await info(pair.accessToken)).status).toBe(403)
    const optional = { token: pair.accessToken }
    expect((await app().call('POST /api/auth/info', optional)).status).toBe(403)
  })

  test('is stored only as a hash', async () => {
    const { access, renewal } = await session()
    const { rows } = await app().database.pool.query<{ dump: string }>(
      `select string_agg(t::text, ' ') as dump from (
         select to_jsonb(s)::text as t from sessions s union all select to_jsonb(a)::text from access_tokens a
         union all select to_jsonb(r)::text from refresh_tokens r) as everything`,
    )
    const dump = rows[0]?.dump ?? ''
    expect(dump.length).toBeGreaterThan(100)
    for (const token of [access, renewal]) {
      expect(dump).not.toContain(token)
      expect(dump).not.toContain(Buffer.from(token).toString('hex'))
    }
  })
})

describe('a refresh token', () => {
  test('is exchanged for a new pair, without a bearer token and long after the access token expired', async () => {
    const { access, renewal } = await session()
    app().clock.advance(29 * 24 * 3600)
    const { status, body } = await refresh(renewal)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'bearer',
      expires_in: 3600,
    })
    expect(body.access_token).not.toBe(access)
    expect(body.refresh_token).not.toBe(renewal)
    expect((await info(body.access_token)).status).toBe(200)
  })

  test('invalidates the old access token immediately', async () => {
    const { access, renewal } = await session()
    expect((await refresh(renewal)).status).toBe(200)
    expect((await info(access)).status).toBe(401)
  })

  test('lasts thirty days', async () => {
    const { renewal } = await session()
    app().clock.advance(30 * 24 * 3600)
    expect((await refresh(renewal)).status).toBe(401)
  })

  test.each([undefined, null, '', 'x', 'x'.repeat(43), "' or 1=1"])('%s is refused', async (text) => {
    const answer = await refresh(text)
    expect(answer.status).toBe(401)
    expect(answer.body.message).toBe('The e-mail address or password is incorrect.')
  })

  test.each([1, true, ['x'], {}])('of the wrong type (%j) is told at its field', async (value) => {
    const { status, body } = await refresh(value)
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({
      status: 422,
      fields: ['refresh_token'],
    })
  })

  test('is accepted in the query', async () => {
    const { renewal } = await session()
    expect((await app().call(`POST /api/auth/refresh?refresh_token=${renewal}`)).status).toBe(200)
  })

  test('that is reused ends the whole session, for the thief and the victim', async () => {
    const { user, renewal } = await session()
    const elsewhere = await signInAs(app(), user)
    const stolen = (await refresh(renewal)).body
    const later = (await refresh(stolen.refresh_token)).body
    expect((await info(later.access_token)).status).toBe(200)
    expect((await refresh(renewal)).status).toBe(401)
    expect((await info(later.access_token)).status).toBe(401)
    expect((await refresh(later.refresh_token)).status).toBe(401)
    const row = await app()
      .database.db.selectFrom('sessions')
      .select('revokedReason')
      .where('userId', '=', user.id)
      .where('revokedAt', 'is not', null)
      .execute()
    expect(row).toEqual([{ revokedReason: 'refresh token used twice' }])
    expect((await info(elsewhere.access_token)).status).toBe(200)
  })

  test('returns the same tokens to two tabs that use it concurrently', async () => {
    const { renewal } = await session()
    const tab = () => refreshFrom(home, renewal)
    const answers = await Promise.all(Array.from({ length: 5 }, tab))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const { access_token, refresh_token } = answers[0]?.body ?? {}
    expect((await info(access_token)).status).toBe(200)
    expect((await refreshFrom(home, refresh_token)).status).toBe(200)
  })

  test('returns the same tokens for ten seconds if the response was lost', async () => {
    const { renewal } = await session()
    const first = (await refreshFrom(home, renewal)).body
    app().clock.advance(9)
    expect((await refreshFrom(home, renewal)).body).toEqual(first)
    app().clock.advance(1)
    expect((await refreshFrom(home, renewal)).status).toBe(401)
    expect((await info(first.access_token)).status).toBe(401)
    expect((await refreshFrom(home, first.refresh_token)).status).toBe(401)
  })

  test.each<[string, Partial<typeof home>]>([
    ['another network', { ip: '203.0.113.9' }],
    ['another program', { userAgent: 'curl/8' }],
    ['a device cookie that was made up', { cookie: `device=${'x'.repeat(43)}` }],
  ])('that a thief uses from %s within ten seconds ends the session', async (_, thief) => {
    const { renewal } = await session()
    const { body } = await refreshFrom(home, renewal)
    expect((await refreshFrom({ ...home, ...thief }, renewal)).status).toBe(401)
    expect((await info(body.access_token)).status).toBe(401)
  })

  test('of a browser can be reused from another network, because the device cookie is the same', async () => {
    const { renewal } = await session()
    const browser = { ...home, cookie: `scheme=dark; device=${'k'.repeat(43)}` }
    const { body } = await refreshFrom(browser, renewal)
    expect((await refreshFrom({ ...browser, ip: '203.0.113.9' }, renewal)).body).toEqual(body)
    const stranger = { ...browser, cookie: `device=${'t'.repeat(43)}` }
    expect((await refreshFrom(stranger, renewal)).status).toBe(401)
  })

  test('cannot be reused once its successor was exchanged', async () => {
    const { renewal } = await session()
    const { body } = await refreshFrom(home, renewal)
    const latest = (await refreshFrom(home, body.refresh_token)).body
    expect((await refreshFrom(home, renewal)).status).toBe(401)
    expect((await info(latest.access_token)).status).toBe(401)
  })

  test('cannot be reused in a session that has ended', async () => {
    const { user, renewal } = await session()
    await refreshFrom(home, renewal)
    const { db, pool } = app().database
    const tokens = new Tokens(db, pool, app().clock, { access: 60, refresh: 60 })
    await tokens.revokeAll(db, user.id, 'password changed')
    expect((await refreshFrom(home, renewal)).status).toBe(401)
  })

  test('leaves nothing in the database that reveals its successor', async () => {
    const { renewal } = await session()
    const { body } = await refreshFrom(home, renewal)
    const { rows } = await app().database.pool.query<{ successor: Buffer }>(
      'select successor from refresh_tokens where successor is not null',
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { successor } of rows) {
      expect(successor.toString('latin1')).not.toContain(body.access_token)
      expect(successor.toString('latin1')).not.toContain(body.refresh_token)
    }
    await refreshFrom(home, body.refresh_token)
    const left = await app().database.pool.query(
      `select from refresh_tokens where successor is not null and session_id = (
         select session_id from refresh_tokens where hash = sha256(convert_to($1, 'UTF8')))`,
      [renewal],
    )
    expect(left.rowCount).toBe(1)
  })

  test('is exchanged once when used concurrently from five networks', async () => {
    const { renewal } = await session()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(renewal)))
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 401, 401, 401, 401])
  })

  test('is invalid if the session ended during the exchange', async () => {
    const { user, renewal } = await session()
    const { db, pool } = app().database
    const tokens = new Tokens(db, pool, app().clock, { access: 60, refresh: 60 })
    const exchange = await db.transaction().execute(async (trx) => {
      await tokens.revokeAll(trx, user.id, 'password changed')
      const running = tokens.rotate(renewal).then(
        () => 'exchanged',
        (error: unknown) => error,
      )
      await waitingForLock()
      return { running }
    })
    expect(await exchange.running).toBeInstanceOf(RefreshTokenInvalid)
    const left = await db.selectFrom('accessTokens').select('hash').where('userId', '=', user.id).execute()
    expect(left).toEqual([])
  })

  test('is protected against guessing', async () => {
    const ip = '192.0.2.9'
    const guess = () => app().call('POST /api/auth/refresh', { body: { refresh_token: 'guess' }, ip })
    for (let turn = 1; turn <= 50; turn++) expect((await guess()).status).toBe(401)
    const { status, headers } = await guess()
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '2' })
  })
})

/** Resolves when another connection to this database waits for a lock. */
async function waitingForLock(): Promise<void> {
  for (;;) {
    const { rowCount } = await app().database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((rowCount ?? 0) > 0) return
  }
}

describe('session information with a refresh', () => {
  test.each([
    ['in the query', (renewal: string) => [`POST /api/auth/info?refresh=1`, { refresh_token: renewal }]],
    ['in the body', (renewal: string) => ['POST /api/auth/info', { refresh: true, refresh_token: renewal }]],
    ['as a number', (renewal: string) => ['POST /api/auth/info', { refresh: 1, refresh_token: renewal }]],
    ['all in the query', (renewal: string) => [`POST /api/auth/info?refresh=1&refresh_token=${renewal}`, {}]],
  ] as [string, (renewal: string) => [string, object]][])('%s is a full session', async (_, request) => {
    const { user, access, renewal } = await session()
    const [route, body] = request(renewal)
    const answer = await app().call(route, { body })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'success', id: user.id, userStatus: 35, expires_in: 3600 })
    expect((await info(answer.body.access_token)).status).toBe(200)
    expect((await info(access)).status).toBe(401)
  })

  test('requires a refresh token even with a valid bearer token', async () => {
    const { access } = await session()
    expect((await app().call('POST /api/auth/info?refresh=1', { token: access })).status).toBe(401)
    expect((await info(access)).status).toBe(200)
  })

  test.each(['0', 'false', '', 0, false, null])('is none when refresh is %j', async (value) => {
    const { access, renewal } = await session()
    const body = { refresh: value, refresh_token: renewal }
    const answer = await app().call('POST /api/auth/info', { token: access, body })
    expect(answer.status).toBe(200)
    expect(answer.body).not.toHaveProperty('access_token')
    expect((await refresh(renewal)).status).toBe(200)
  })

  test('returns 401 without a refresh and without a valid bearer token', async () => {
    expect((await app().call('POST /api/auth/info')).status).toBe(401)
    expect((await app().call('POST /api/auth/info', { token: 'bad' })).status).toBe(401)
  })
})

describe('signing out', () => {
  test('ends that session only and confirms it', async () => {
    const { user, access, renewal } = await session()
    const other = await signInAs(app(), user)
    const { status, body } = await app().call('POST /api/auth/logout', { token: access })
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'You’re signed out.' },
    })
    expect((await info(access)).status).toBe(401)
    expect((await refresh(renewal)).status).toBe(401)
    expect((await info(other.access_token)).status).toBe(200)
    expect((await refresh(other.refresh_token)).status).toBe(200)
  })

  test('returns 401 the second time and without a token', async () => {
    const { access } = await session()
    await app().call('POST /api/auth/logout', { token: access })
    expect((await app().call('POST /api/auth/logout', { token: access })).status).toBe(401)
    expect((await app().call('POST /api/auth/logout')).status).toBe(401)
  })
})

describe('a suspended user', () => {
  test('can sign in, see their own account and its state, and sign out, but nothing else', async () => {
    const { user, access, renewal } = await session()
    await setStatus(app(), user, userStatus.active | userStatus.imapReady | userStatus.suspended)
    const { access_token: token } = await signInAs(app(), user)
    for (const route of [
      'GET /api/auth/info',
      'POST /api/auth/info',
      'GET /api/auth/location',
      `GET /api/v4/users/${user.id}`,
      `GET /api/v4/users/${user.id}/status`,
    ]) {
      expect((await app().call(route, { token })).status, route).toBe(200)
    }
    for (const route of ['POST /api/v4/password-reset/code', 'DELETE /api/v4/password-reset/code/x']) {
      const answer = await app().call(route, { token })
      expect(answer, route).toMatchObject({
        status: 403,
        body: { status: 'error', message: 'This account is suspended. Contact support.' },
      })
    }
    expect((await info(access)).body.isSuspended).toBe(true)
    expect((await refresh(renewal)).status).toBe(200)
    expect((await app().call('POST /api/auth/logout', { token })).status).toBe(200)
  })
})

test('the nightly purge deletes only what has expired', async () => {
  const old = await session()
  app().clock.advance(61 * 24 * 3600)
  const fresh = await session()
  const { db, pool } = app().database
  await new Tokens(db, pool, app().clock, { access: 60, refresh: 43_200 }).purge()
  const users = (await db.selectFrom('sessions').select('userId').distinct().execute()).map(
    (row) => row.userId,
  )
  expect(users).toContain(fresh.user.id)
  expect(users).not.toContain(old.user.id)
  expect((await info(fresh.access)).status).toBe(200)
  expect((await refresh(fresh.renewal)).status).toBe(200)
})

describe("the caller's location", () => {
  test('is address and country, which is empty if unknown', async () => {
    const { access: token } = await session()
    const from = async (ip: string) => (await app().call('GET /api/auth/location', { token, ip })).body
    expect(await from('8.8.8.8')).toEqual({ ipAddress: '8.8.8.8', countryCode: 'US' })
    expect(await from('2001:4860:4860::8888')).toMatchObject({ countryCode: 'US' })
    expect(await from('::ffff:8.8.8.8')).toEqual({ ipAddress: '8.8.8.8', countryCode: 'US' })
    expect(await from('10.0.0.1')).toEqual({ ipAddress: '10.0.0.1', countryCode: '' })
    expect((await app().call('GET /api/auth/location')).status).toBe(401)
  })
})
