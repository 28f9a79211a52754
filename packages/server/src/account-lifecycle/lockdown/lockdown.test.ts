import { beforeAll, describe, expect, test } from 'vitest'
import {
  type MadeUser,
  makeController,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const path = 'POST /api/v4/lockdown'

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

const token = async (user: MadeUser, password = user.password) =>
  (await signInAs(app(), { ...user, password })).access_token
const info = async (bearer: string) => (await app().call('GET /api/auth/info', { token: bearer })).status

/** Sets up what an intruder may have left behind. */
async function besieged() {
  const owner = await makeUser(app())
  const user = await makeUser(app(), {
    walletId: owner.walletId,
    settings: { external_email: `besieged${owner.id}@elsewhere.test` },
  })
  const own = await token(user)
  const intruder = await signInAs(app(), user)
  for (const name of ['Phone', 'Laptop']) {
    await app().call('POST /api/v4/app-passwords', { token: own, body: { name, scopes: ['imap'] } })
  }
  await app().call('POST /api/auth/password-reset/init', { body: { email: user.email } })
  await app().jobs.drain()
  return { owner, user, own, intruder }
}

describe('a lockdown', () => {
  test('ends everything but the requesting session, and reports what was ended', async () => {
    const { user, own, intruder } = await besieged()
    const answer = await app().call(path, { token: own, body: {} })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      status: 'success',
      message: 'The account has been locked down. All other access has ended.',
      revoked: {
        sessions: 1,
        appPasswords: ['Phone', 'Laptop'],
        apiKeys: [],
        apps: [],
        companions: [],
        resetCodes: 1,
        isPasswordChanged: false,
      },
    })
    expect(await info(own)).toBe(200)
    expect(await info(intruder.access_token)).toBe(401)
    const renewal = { refresh_token: intruder.refresh_token }
    expect((await app().call('POST /api/auth/refresh', { body: renewal })).status).toBe(401)
    expect((await app().call('GET /api/v4/app-passwords', { token: own })).body.count).toBe(0)
    const { rows } = await app().database.pool.query(
      'select used_at from verification_codes where user_id = $1 and used_at is null',
      [user.id],
    )
    expect(rows).toEqual([])
    const { ended } = (await app().call('GET /api/v4/sessions', { token: own })).body
    expect(ended.map((session: { end: string }) => session.end)).toEqual(['lockdown'])
  })

  test('sets a new password too, all or nothing', async () => {
    const { user, own, intruder } = await besieged()
    const wrong = [
      { password: 'New-pass-1' },
      { password: 'New-pass-1', password_confirmation: 'New-pass-2' },
      { password: 'x', password_confirmation: 'x' },
      { password: 7, password_confirmation: 7 },
    ]
    for (const body of wrong) {
      const answer = await app().call(path, { token: own, body })
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.body.errors)).toContain('password')
    }
    expect(await info(intruder.access_token)).toBe(200)
    const body = { password: 'New-pass-1', password_confirmation: 'New-pass-1' }
    const answer = await app().call(path, { token: own, body })
    expect(answer.body.revoked).toMatchObject({ sessions: 1, isPasswordChanged: true })
    expect(await info(own)).toBe(200)
    expect(await info(intruder.access_token)).toBe(401)
    await expect(token(user)).rejects.toThrow('sign-in failed')
    expect(await info(await token(user, 'New-pass-1'))).toBe(200)
  })

  test('requires authentication within the last ten minutes', async () => {
    const { own, intruder } = await besieged()
    app().clock.advance(600)
    const answer = await app().call(path, { token: own, body: {} })
    expect(answer).toMatchObject({ status: 403, body: { stepUp: true } })
    expect(await info(intruder.access_token)).toBe(200)
    app().clock.advance(-600)
  })

  test("of another user requires control of the account, and ends all that user's sessions", async () => {
    const { owner, user, own } = await besieged()
    const controller = await makeUser(app(), { walletId: owner.walletId })
    await makeController(app(), controller, owner.walletId)
    const stranger = await makeUser(app())
    const foreigner = await makeUser(app(), { tenantId: await makeTenant(app(), 41) })
    const ask = async (by: MadeUser, whom: MadeUser) =>
      app().call(path, { token: await token(by), body: { user: whom.id } })
    expect((await app().call(path, { body: { user: user.id } })).status).toBe(401)
    expect((await ask(stranger, user)).status).toBe(403)
    expect((await ask(foreigner, user)).status).toBe(404)
    expect((await ask(controller, owner)).status).toBe(403)
    expect((await ask(user, owner)).status).toBe(403)
    expect(await info(own)).toBe(200)
    const answer = await ask(controller, user)
    expect(answer.body.revoked).toMatchObject({ sessions: 3, appPasswords: ['Phone', 'Laptop'] })
    expect(await info(own)).toBe(401)
  })

  test.each([0, -1, 4294967296, 'x', {}, [1], '1'])('of %j finds nobody', async (user) => {
    const answer = await app().call(path, { token: await token(await makeUser(app())), body: { user } })
    expect([404, 422]).toContain(answer.status)
  })

  test('is not available to impersonating staff, nor on their hosts', async () => {
    const user = await makeUser(app())
    const admin = await makeStaff(app(), 'admin')
    const begun = await admin.call(`POST /api/v4/users/${user.id}/login-as`, { body: { reason: 'Ticket 8' } })
    const code = new URL(begun.body.redirectUrl).hash.slice(1)
    const borrowed = (await app().call('POST /api/auth/login-as', { body: { code } })).body.access_token
    expect((await app().call(path, { token: borrowed, body: {} })).status).toBe(403)
    expect((await admin.call(path, { body: { user: user.id } })).status).toBe(404)
    const own = await token(user)
    const answer = await app().call(path, { token: own, body: {} })
    expect(answer.body.revoked.sessions).toBe(1)
    expect(await info(borrowed)).toBe(401)
  })

  test('is in the audit log with what it ended', async () => {
    const { owner, user, own } = await besieged()
    await app().call(path, { token: own, body: {} })
    const { body } = await app().call('GET /api/v4/events?size=1', { token: await token(owner) })
    expect(body.list).toMatchObject([
      { event: 'user.lockdown', actor: user.email, data: { sessions: 1, appPasswords: ['Phone', 'Laptop'] } },
    ])
  })

  test('succeeds for simultaneous requests and keeps the requesting session', async () => {
    const { own, intruder } = await besieged()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app().call(path, { token: own, body: {} })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const names = answers.flatMap(({ body }) => body.revoked.appPasswords)
    expect(names).toEqual(['Phone', 'Laptop'])
    expect(await info(own)).toBe(200)
    expect(await info(intruder.access_token)).toBe(401)
  })
})
