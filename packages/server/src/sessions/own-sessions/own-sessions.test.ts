import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeController, makeDomain, makeTenant, makeUser } from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { SessionUse } from '../tokens/session-use.ts'

const app = useTestApp()

const agents = {
  laptop: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
}
const home = '185.70.40.1'

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

interface SignedIn {
  readonly token: string
  readonly renewal: string
}

async function signIn(user: MadeUser, agent: keyof typeof agents = 'laptop'): Promise<SignedIn> {
  const { status, body } = await app().call('POST /api/auth/login', {
    body: { email: user.email, password: user.password },
    headers: { 'user-agent': agents[agent] },
    ip: home,
  })
  expect(status).toBe(200)
  return { token: body.access_token, renewal: body.refresh_token }
}

const sessions = async ({ token }: SignedIn) => {
  const { status, body } = await app().call('GET /api/v4/sessions', { token, ip: home })
  expect(status).toBe(200)
  return body
}
const info = ({ token }: SignedIn) => app().call('GET /api/auth/info', { token })
const refresh = ({ renewal }: SignedIn) =>
  app().call('POST /api/auth/refresh', { body: { refresh_token: renewal } })

async function borrow(user: MadeUser): Promise<SignedIn> {
  const admin = await makeStaff(app(), 'admin')
  const begun = await admin.call(`POST /api/v4/users/${user.id}/login-as`, { body: { reason: 'Ticket 7' } })
  const code = new URL(begun.body.redirectUrl).hash.slice(1)
  const { body } = await app().call('POST /api/auth/login-as', { body: { code } })
  return { token: body.access_token, renewal: body.refresh_token }
}

describe('the list of sessions', () => {
  test('returns device, location and times of each, and marks the current one', async () => {
    const user = await makeUser(app())
    const laptop = await signIn(user)
    app().clock.advance(60)
    await signIn(user, 'phone')
    expect(await sessions(laptop)).toEqual({
      count: 2,
      ended: [],
      endedDays: 30,
      list: [
        {
          id: expect.any(String),
          isCurrent: false,
          device: { program: 'Safari', system: 'iOS', kind: 'phone' },
          ipAddress: home,
          countryCode: 'CH',
          created_at: '2026-03-10 12:01:00',
          last_used_at: '2026-03-10 12:01:00',
          companion: null,
          staff: null,
        },
        {
          id: expect.any(String),
          isCurrent: true,
          device: { program: 'Firefox', system: 'Linux', kind: 'computer' },
          ipAddress: home,
          countryCode: 'CH',
          created_at: '2026-03-10 12:00:00',
          last_used_at: '2026-03-10 12:00:00',
          companion: null,
          staff: null,
        },
      ],
    })
    app().clock.advance(-60)
  })

  test("is limited to the user's own sessions", async () => {
    expect((await app().call('GET /api/v4/sessions')).status).toBe(401)
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    await signIn(member)
    expect((await sessions(await signIn(owner))).count).toBe(1)
  })

  test('shows staff sessions with name and reason', async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const borrowed = await borrow(user)
    const { list } = await sessions(own)
    const staff = list.find((session: { staff: unknown }) => session.staff !== null)
    expect(staff).toMatchObject({ isCurrent: false, staff: { reason: 'Ticket 7' } })
    expect(staff.staff.email).toMatch(/@example\.test$/)
    const { status } = await app().call(`DELETE /api/v4/sessions/${staff.id}`, { token: own.token })
    expect(status).toBe(200)
    expect((await info(borrowed)).status).toBe(401)
  })

  test('keeps ended sessions for thirty days, with the reason', async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const first = await signIn(user)
    const second = await signIn(user, 'phone')
    await app().call('POST /api/auth/logout', { token: first.token })
    await app().call('POST /api/v4/sessions/revoke-others', { token: own.token, body: {} })
    const ends = async () =>
      (await sessions(own)).ended.map((session: { end: string; ended_at: string }) => session.end).sort()
    expect(await ends()).toEqual(['ended', 'signed-out'])
    expect((await info(second)).status).toBe(401)
    const stolen = await signIn(user)
    await refresh(stolen)
    app().clock.advance(10)
    expect((await refresh(stolen)).status).toBe(401)
    app().clock.advance(-10)
    expect(await ends()).toEqual(['ended', 'signed-out', 'token-stolen'])
  })

  test('shows a session that fell out of use as expired', async () => {
    const user = await makeUser(app())
    await signIn(user, 'phone')
    app().clock.advance(31 * 24 * 3600)
    const own = await signIn(user)
    const { list, ended } = await sessions(own)
    expect(list).toHaveLength(1)
    expect(ended).toMatchObject([
      { end: 'expired', ended_at: '2026-04-09 12:00:00', device: { kind: 'phone' } },
    ])
    app().clock.advance(-31 * 24 * 3600)
  })
})

describe('ending a session', () => {
  test('takes effect with the next call, and a refresh does not revive it', async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const other = await signIn(user, 'phone')
    const { list } = await sessions(other)
    const current = list.find((session: { isCurrent: boolean }) => session.isCurrent)
    const answer = await app().call(`DELETE /api/v4/sessions/${current.id}`, { token: own.token })
    expect(answer).toMatchObject({ status: 200, body: { message: 'The session has been ended.' } })
    expect((await info(other)).status).toBe(401)
    expect((await refresh(other)).status).toBe(401)
    expect((await info(own)).status).toBe(200)
    const again = await app().call(`DELETE /api/v4/sessions/${current.id}`, { token: own.token })
    expect(again.status).toBe(404)
  })

  test('for the current session signs out', async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const [{ id }] = (await sessions(own)).list
    expect((await app().call(`DELETE /api/v4/sessions/${id}`, { token: own.token })).status).toBe(200)
    expect((await info(own)).status).toBe(401)
    expect((await sessions(await signIn(user))).ended).toMatchObject([{ end: 'signed-out' }])
  })

  test("returns 404 for other users' and unknown sessions", async () => {
    const owner = await makeUser(app())
    const victim = await signIn(owner)
    const [{ id }] = (await sessions(victim)).list
    const member = await signIn(await makeUser(app(), { walletId: owner.walletId }))
    const foreign = await signIn(await makeUser(app(), { tenantId: await makeTenant(app(), 31) }))
    for (const { token } of [member, foreign]) {
      expect((await app().call(`DELETE /api/v4/sessions/${id}`, { token })).status).toBe(404)
    }
    expect((await app().call(`DELETE /api/v4/sessions/${id}`)).status).toBe(401)
    for (const text of ['x', '1', '%00', crypto.randomUUID()]) {
      const { status } = await app().call(`DELETE /api/v4/sessions/${text}`, { token: victim.token })
      expect(status).toBe(404)
    }
    expect((await info(victim)).status).toBe(200)
  })

  test('for all others keeps the current one and returns their number', async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const others = [await signIn(user), await signIn(user, 'phone'), await borrow(user)]
    const path = 'POST /api/v4/sessions/revoke-others'
    expect((await app().call(path, { body: {} })).status).toBe(401)
    const answer = await app().call(path, { token: own.token, body: {} })
    expect(answer.body).toMatchObject({ count: 3, message: '3 other sessions have been ended.' })
    for (const other of others) expect((await info(other)).status).toBe(401)
    expect((await info(own)).status).toBe(200)
    expect((await app().call(path, { token: own.token, body: {} })).body.count).toBe(0)
  })

  test('is not allowed for staff impersonating the user', async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const [{ id }] = (await sessions(own)).list
    const { token } = await borrow(user)
    expect((await app().call(`DELETE /api/v4/sessions/${id}`, { token })).status).toBe(403)
    expect((await app().call('POST /api/v4/sessions/revoke-others', { token, body: {} })).status).toBe(403)
    const all = await app().call(`POST /api/v4/users/${user.id}/sign-out`, { token, body: {} })
    expect(all.status).toBe(403)
    expect((await info(own)).status).toBe(200)
  })

  test('is recorded with the device', async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const other = await signIn(user, 'phone')
    const current = (await sessions(other)).list.find((one: { isCurrent: boolean }) => one.isCurrent)
    await app().call(`DELETE /api/v4/sessions/${current.id}`, { token: own.token, ip: home })
    const { body } = await app().call('GET /api/v4/events?size=1', { token: own.token })
    expect(body.list).toMatchObject([
      {
        event: 'session.ended',
        title: 'Session ended',
        ip: home,
        data: { before: { program: 'Safari', ip: home } },
      },
    ])
  })
})

describe('signing a user out everywhere', () => {
  test('is allowed for those who control the account, not for others, nor for a controller on the owner', async () => {
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    const controller = await makeUser(app(), { walletId: owner.walletId })
    await makeController(app(), controller, owner.walletId)
    const foreigner = await makeUser(app(), { tenantId: await makeTenant(app(), 32) })
    const path = (user: MadeUser) => `POST /api/v4/users/${user.id}/sign-out`
    const ask = async (by: MadeUser | undefined, whom: MadeUser) => {
      const token = by && (await signIn(by)).token
      return app().call(path(whom), { ...(token && { token }), body: {} })
    }
    const victim = await signIn(member)
    expect((await ask(undefined, member)).status).toBe(401)
    expect((await ask(await makeUser(app()), member)).status).toBe(403)
    expect((await ask(foreigner, member)).status).toBe(404)
    expect((await ask(controller, owner)).status).toBe(403)
    expect((await info(victim)).status).toBe(200)
    expect((await ask(owner, member)).body).toMatchObject({
      count: 1,
      message: '1 session has been ended.',
    })
    expect((await info(victim)).status).toBe(401)
    const again = await signIn(member)
    expect((await ask(controller, member)).status).toBe(200)
    expect((await info(again)).status).toBe(401)
    const { body } = await app().call('GET /api/v4/events?size=1', { token: (await signIn(owner)).token })
    expect(body.list[0]).toMatchObject({ event: 'user.signed-out', actor: controller.email })
    const ended = (await sessions(await signIn(member))).ended
    expect(ended[0].end).toBe('by-controller')
  })

  test("keeps the caller's own session", async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const other = await signIn(user)
    const { token } = own
    const answer = await app().call(`POST /api/v4/users/${user.id}/sign-out`, { token, body: {} })
    expect(answer.body.count).toBe(1)
    expect((await info(own)).status).toBe(200)
    expect((await info(other)).status).toBe(401)
  })

  test("is allowed for the user's support staff, whose comment is recorded", async () => {
    const user = await makeUser(app())
    const own = await signIn(user)
    const admin = await makeStaff(app(), 'admin')
    const reseller = await makeStaff(app(), 'reseller', await makeTenant(app(), 33))
    const path = `POST /api/v4/users/${user.id}/sign-out`
    expect((await reseller.call(path, { body: {} })).status).toBe(404)
    expect((await admin.call(`POST /api/v4/users/${admin.id}/sign-out`, { body: {} })).status).toBe(403)
    const answer = await admin.call(path, { body: { comment: 'Asked by phone' } })
    expect(answer).toMatchObject({ status: 200, body: { status: 'success' } })
    expect((await info(own)).status).toBe(401)
    const { body } = await admin.call(`GET /api/v4/eventlog/user/${user.id}`)
    expect(body.list[0]).toMatchObject({
      kind: 'user.signed-out',
      user: admin.email,
      comment: 'Asked by phone',
    })
    expect((await sessions(await signIn(user))).ended[0].end).toBe('by-staff')
  })
})

describe('the last use of a session', () => {
  const lastUse = async (own: SignedIn) => {
    const { pool } = app().database
    await app().call('GET /api/auth/location', { token: own.token, ip: home })
    const { rows } = await pool.query<{ last_used_at: Date; ip: string; version: string }>(
      `select last_used_at, coalesce(last_ip, ip) as ip, s.xmin::text as version from sessions s
       join access_tokens a on a.session_id = s.id where a.hash = sha256($1::text::bytea)`,
      [own.token],
    )
    return rows[0]
  }

  test('is recorded at most once in five minutes', async () => {
    const own = await signIn(await makeUser(app()))
    const first = await lastUse(own)
    app().clock.advance(240)
    for (let turn = 0; turn < 3; turn++) await lastUse(own)
    expect(await lastUse(own)).toEqual(first)
    app().clock.advance(60)
    await expect.poll(() => lastUse(own).then((use) => use?.last_used_at)).toEqual(app().clock.now())
    const noted = await lastUse(own)
    await Promise.all(Array.from({ length: 50 }, () => info(own)))
    expect(await lastUse(own)).toEqual(noted)
    app().clock.advance(-300)
  })

  test('records the location', async () => {
    const own = await signIn(await makeUser(app()))
    app().clock.advance(300)
    await app().call('GET /api/auth/location', { token: own.token, ip: '2.16.6.1' })
    await expect.poll(() => lastUse(own).then((use) => use?.ip)).toBe('2.16.6.1')
    expect((await sessions(own)).list[0]).toMatchObject({
      ipAddress: '2.16.6.1',
      countryCode: expect.any(String),
    })
    app().clock.advance(-300)
  })

  test('does not wait for locks on the session, and does not end it again', async () => {
    const { db, pool } = app().database
    const own = await signIn(await makeUser(app()))
    const [{ id }] = (await sessions(own)).list
    const use = new SessionUse(db, app().clock, (error) => {
      throw error
    })
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select id from sessions where id = $1 for update', [id])
    use.note(id, '2.16.6.1')
    await use.settled()
    await holder.query('rollback')
    holder.release()
    expect((await lastUse(own))?.ip).toBe(home)
  })
})
