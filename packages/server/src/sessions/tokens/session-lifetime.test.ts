import { expect, test } from 'vitest'
import { loadConfig } from '../../main/settings/config.ts'
import { pairDevice } from '../../testing/companions.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { secondProcess } from '../../testing/servers/mail-services.ts'
import { createTestApp, type TestApp, testSecret, useTestApp } from '../../testing/test-app.ts'

const day = 24 * 3600
const app = useTestApp({ SESSION_LIFETIME: '40' })

const refresh = (to: TestApp, refresh_token: string) =>
  to.call('POST /api/auth/refresh', { body: { refresh_token } })
const isIn = async (to: TestApp, token: string) =>
  (await to.call('GET /api/auth/info', { token })).status === 200

/** Uses a session continuously for a number of days; returns its last tokens. */
async function use(to: TestApp, tokens: { refresh_token: string }, days: number) {
  let latest = tokens as { access_token: string; refresh_token: string; expires_in: number }
  for (let passed = 0; passed < days; passed += 20) {
    to.clock.advance(Math.min(20, days - passed) * day)
    const { status, body } = await refresh(to, latest.refresh_token)
    expect(status).toBe(200)
    latest = body
  }
  return latest
}

test('a stolen session that is kept alive ends at its maximum lifetime', async () => {
  const user = await makeUser(app())
  const latest = await use(app(), await signInAs(app(), user), 39)
  app().clock.advance(day - 1)
  const last = (await refresh(app(), latest.refresh_token)).body
  expect(last.expires_in).toBe(1)
  expect(await isIn(app(), last.access_token)).toBe(true)
  app().clock.advance(1)
  expect(await isIn(app(), last.access_token)).toBe(false)
  expect(await refresh(app(), last.refresh_token)).toMatchObject({
    status: 401,
    body: { message: 'The e-mail address or password is incorrect.' },
  })
})

test('an ended session is not among the open ones', async () => {
  const user = await makeUser(app())
  await use(app(), await signInAs(app(), user), 39)
  app().clock.advance(day)
  const { access_token: token } = await signInAs(app(), user)
  const { body } = await app().call('GET /api/v4/sessions', { token })
  expect(body.list).toHaveLength(1)
})

test('a companion device stays signed in', async () => {
  const user = await makeUser(app())
  const { access_token: portal } = await signInAs(app(), user)
  const device = await pairDevice(app(), portal)
  const latest = await use(app(), { refresh_token: device.refreshToken }, 100)
  expect((await app().call('GET /api/v4/auth-attempts', { token: latest.access_token })).status).toBe(200)
})

test('a shorter lifetime applies to open sessions from their next refresh', async () => {
  const user = await makeUser(app())
  const { access_token: token, refresh_token } = await use(app(), await signInAs(app(), user), 35)
  const settings = { SESSION_LIFETIME: '30', SECRET_KEY: testSecret }
  await using stricter = await secondProcess(app(), settings)
  const { status } = await stricter.call('POST /api/auth/refresh', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  })
  expect(status).toBe(401)
  expect(await isIn(app(), token)).toBe(false)
  expect((await refresh(app(), refresh_token)).status).toBe(401)
  const { access_token: later } = await signInAs(app(), user)
  const { body } = await app().call('GET /api/v4/sessions', { token: later })
  expect(body.ended).toMatchObject([{ end: 'expired' }])
})

test('without a lifetime a session stays open while it is used, whatever its previous end', async () => {
  await using free = await createTestApp({ SESSION_LIFETIME: '0' })
  const user = await makeUser(free)
  const latest = await use(free, await signInAs(free, user), 200)
  await free.database.pool.query(`update sessions set ends_at = $1`, [new Date('2027-01-01')])
  expect((await refresh(free, latest.refresh_token)).status).toBe(200)
  expect((await free.database.pool.query('select ends_at from sessions')).rows).toEqual([{ ends_at: null }])
})

test('a lifetime that is not a number of days is rejected', () => {
  expect(loadConfig({}).SESSION_LIFETIME).toBe(90)
  for (const value of ['-1', '1.5', 'never', '3651']) {
    expect(() => loadConfig({ SESSION_LIFETIME: value })).toThrow('SESSION_LIFETIME')
  }
})
