import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDomain, signInAs } from '../../testing/factories.ts'
import { enrolPasskey, enrolTotp } from '../../testing/factors.ts'
import { type SignedIn, signedIn } from '../../testing/oauth.ts'
import {
  home,
  limitGeo,
  makeAppPassword,
  nginxVerdict,
  saslVerdict,
  withMailServices,
} from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp(withMailServices)
let person: SignedIn

beforeAll(() => makeDomain(app(), 'example.test'))

beforeEach(async () => {
  app().clock.advance(7200 - (Math.floor(app().clock.now().getTime() / 1000) % 3600))
  person = await signedIn(app())
  await app().database.pool.query(`delete from event_log where event = 'sign-in.succeeded'`)
})

/** The user's sign-in activity, without devices. */
async function entries() {
  await app().events.settled()
  const { rows } = await app().database.pool.query(
    `select event, ip, times, data - array['program', 'system', 'network'] as data from event_log
      where object_id = $1 and (event like 'sign-in.%' or event = 'session.token-reused')
      order by event, data ->> 'reason', data ->> 'service'`,
    [person.user.id],
  )
  return rows
}

describe('mail sign-ins', () => {
  test('with an app password are recorded once per day, service and address', async () => {
    const { secret: password } = await makeAppPassword(app(), person.user, ['imap', 'smtp'])
    const { email: login } = person.user
    for (let turn = 0; turn < 5; turn++) {
      expect(await nginxVerdict(app(), { login, password })).toBe('OK')
      app().clock.advance(60)
    }
    await nginxVerdict(app(), { login, password, protocol: 'smtp' })
    const means = { method: 'app-password', client: 'Program' }
    expect(await entries()).toEqual([
      { event: 'sign-in.succeeded', ip: home, times: 1, data: { ...means, service: 'imap' } },
      { event: 'sign-in.succeeded', ip: home, times: 1, data: { ...means, service: 'smtp' } },
    ])
    app().clock.advance(24 * 3600)
    await nginxVerdict(app(), { login, password })
    expect(await entries()).toHaveLength(3)
  })

  test('that fail are recorded with service, reason and address, and counted', async () => {
    const { email: login, password } = person.user
    for (let turn = 0; turn < 3; turn++) await nginxVerdict(app(), { login, password: 'wrong' })
    await saslVerdict(app(), { login, password: 'wrong too' })
    await limitGeo(app(), person.user, ['US'])
    await nginxVerdict(app(), { login, password })
    const failed = { event: 'sign-in.failed', ip: home }
    expect(await entries()).toMatchObject([
      { ...failed, times: 1, data: { reason: 'country', service: 'imap' } },
      { ...failed, times: 3, data: { method: 'password', reason: 'password', service: 'imap' } },
      { event: 'sign-in.failed', ip: null, times: 1, data: { reason: 'password' } },
    ])
  })

  test('of a suspended user are recorded as such', async () => {
    await app().database.pool.query('update users set status = status | 4 where id = $1', [person.user.id])
    await nginxVerdict(app(), { login: person.user.email, password: person.user.password })
    expect(await entries()).toMatchObject([{ data: { reason: 'suspended' } }])
  })

  test('with an unknown name are not recorded', async () => {
    const { rows: before } = await app().database.pool.query('select from event_log')
    await nginxVerdict(app(), { login: 'nobody@example.test', password: 'x' })
    await app().events.settled()
    expect((await app().database.pool.query('select from event_log')).rows).toHaveLength(before.length)
  })
})

describe('a second factor', () => {
  test('is recorded with the sign-in it authenticates', async () => {
    const { code } = await enrolTotp(app(), person.token)
    app().clock.advance(60)
    const { email, password } = person.user
    const answer = await app().call('POST /api/auth/login', {
      body: { email, password, secondfactor: code() },
    })
    expect(answer.status).toBe(200)
    expect(await entries()).toMatchObject([{ data: { method: 'password', factor: 'totp' } }])
  })

  test('is recorded as a failed sign-in if wrong, but not if missing', async () => {
    await enrolTotp(app(), person.token)
    const { email, password } = person.user
    await app().call('POST /api/auth/login', { body: { email, password } })
    await app().call('POST /api/auth/login', { body: { email, password, secondfactor: '000000' } })
    expect(await entries()).toMatchObject([
      { event: 'sign-in.failed', data: { method: 'password', reason: 'factor' }, times: 1 },
    ])
  })
})

describe('a passkey', () => {
  const ask = async () => (await app().call('POST /api/auth/passkey/options')).body

  test('is recorded as the sign-in method', async () => {
    const { device } = await enrolPasskey(app(), person.token)
    const { status } = await app().call('POST /api/auth/passkey', { body: device.get(await ask()) })
    expect(status).toBe(200)
    expect(await entries()).toMatchObject([{ data: { method: 'passkey' } }])
  })

  test('is recorded for its owner if invalid', async () => {
    const { device } = await enrolPasskey(app(), person.token)
    const body = device.get(await ask(), { isUnverified: true })
    expect((await app().call('POST /api/auth/passkey', { body })).status).toBe(401)
    expect(await entries()).toMatchObject([
      { event: 'sign-in.failed', data: { method: 'passkey', reason: 'passkey' } },
    ])
  })
})

test("a user's own list has only their sign-ins, failures and denials", async () => {
  const { email } = person.user
  const other = await signedIn(app())
  await app().call('POST /api/auth/login', { body: { email, password: 'wrong' } })
  await app().call(`GET /api/v4/users/${other.user.id}`, { token: person.token })
  await app().events.settled()
  const { access_token: token } = await signInAs(app(), person.user)
  const list = async (query = '') =>
    (await app().call(`GET /api/v4/sign-ins${query}`, { token })).body.list.map(
      ({ event, objectId }: { event: string; objectId: number }) => [event, objectId],
    )
  const { id } = person.user
  expect((await list()).sort()).toEqual([
    ['access.refused', id],
    ['sign-in.failed', id],
    ['sign-in.succeeded', id],
  ])
  expect(await list('?outcome=succeeded')).toEqual([['sign-in.succeeded', id]])
  expect((await list('?outcome=failed')).sort()).toEqual([
    ['access.refused', id],
    ['sign-in.failed', id],
  ])
})
