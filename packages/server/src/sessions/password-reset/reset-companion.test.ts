import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeDevice, makeDevice, pairDevice } from '../../testing/companions.ts'
import { type MadeUser, makeTotp, makeUser, signInAs } from '../../testing/factories.ts'
import { enrolTotp, login } from '../../testing/factors.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser
let device: MadeDevice
let mailbox = 0

beforeEach(async () => {
  const external_email = `private${++mailbox}@elsewhere.test`
  user = await makeUser(app(), { settings: { external_email } })
  device = await makeDevice(app(), user)
})

const fresh = { password: 'brand-new-1', password_confirmation: 'brand-new-1' }

/** Requests a reset and returns the mailed codes. */
async function begin(whose = user) {
  const { body } = await app().call('POST /api/auth/password-reset/init', { body: { email: whose.email } })
  const short_code = (await app().mails())
    .map(({ text }) => /\/password-reset\/([A-Z2-9]{8})-([A-Za-z0-9]+)/.exec(text ?? ''))
    .find((link) => link?.[2] === body.code)?.[1]
  const codes = { code: body.code, short_code }
  return (more: object = {}) => {
    const route = `POST /api/auth/password-reset${'attempt' in more ? '/attempt' : ''}`
    return app().call(route, { body: { ...codes, ...fresh, ...more } })
  }
}

async function waitingAttempt(): Promise<string> {
  const { body } = await app().call('GET /api/v4/auth-attempts/waiting', { token: device.token })
  return body.list[0].id
}

const decide = async (act: 'confirm' | 'deny', body: object = {}) =>
  app().call(`POST /api/v4/auth-attempts/${await waitingAttempt()}/${act}`, { token: device.token, body })

const signIn = (password: string) => login(app(), { ...user, password }, { async: true })

describe('a password reset of a user with a companion device', () => {
  test('succeeds only after the number on the screen was confirmed on the device', async () => {
    const reset = await begin()
    const asked = await reset({ async: true })
    expect(asked).toMatchObject({ status: 202, body: { status: 'waiting' } })
    const { attempt, secret, number } = asked.body
    expect(number).toMatch(/^\d\d$/)
    const still = await reset({ attempt, secret })
    expect([still.status, Object.keys(still.body).sort()]).toEqual([202, ['expiresAt', 'status']])
    expect((await signIn(fresh.password)).status).toBe(401)
    expect((await decide('confirm', { number: number === '42' ? '43' : '42' })).status).toBe(422)
    expect((await decide('confirm', { number })).status).toBe(200)
    const done = await reset({ attempt, secret })
    expect([done.status, done.body.email]).toEqual([200, user.email])
    expect((await signIn(fresh.password)).status).toBe(200)
    // the code is consumed, and so is the device's approval
    expect((await reset({ attempt, secret })).status).toBe(422)
  })

  test('fails if the device denies it, and the code stays valid', async () => {
    const reset = await begin()
    const { attempt, secret } = (await reset({ async: true })).body
    await decide('deny')
    const denied = await reset({ attempt, secret })
    expect([denied.status, denied.body.message]).toEqual([401, 'The sign-in was denied on your device.'])
    app().clock.advance(601)
    expect((await reset({ async: true })).status).toBe(202)
  })

  test('asks for the second factor once: the proof stays valid while the device is pending', async () => {
    const code = await makeTotp(app(), user)
    const reset = await begin()
    expect((await reset({ async: true })).body.errors).toHaveProperty('secondfactor')
    const { attempt, secret, number } = (await reset({ async: true, secondfactor: code() })).body
    await decide('confirm', { number })
    expect((await reset({ attempt, secret })).status).toBe(200)
  })

  test('does not accept an approval for a sign-in, nor a sign-in one for a reset', async () => {
    const reset = await begin()
    const toReset = (await reset({ async: true })).body
    const toSignIn = (await signIn(user.password)).body
    const attempt = await waitingAttempt()
    for (const { number } of [toReset, toSignIn]) {
      await app().call(`POST /api/v4/auth-attempts/${attempt}/confirm`, {
        token: device.token,
        body: { number, remember: false },
      })
    }
    const named = (one: { attempt: string; secret: string }) => ({ attempt: one.attempt, secret: one.secret })
    expect((await reset(named(toSignIn))).status).toBe(401)
    expect((await app().call('POST /api/auth/login/attempt', { body: named(toReset) })).status).toBe(401)
    expect((await reset(named(toReset))).status).toBe(200)
  })

  test("does not accept an approval from another user's device", async () => {
    const { attempt, secret, number } = (await (await begin())({ async: true })).body
    await decide('confirm', { number })
    const other = await makeUser(app(), { settings: { external_email: `other${mailbox}@elsewhere.test` } })
    await makeDevice(app(), other)
    const theirs = await begin(other)
    expect((await theirs({ attempt, secret })).status).toBe(401)
  })

  test.each([
    { attempt: 'x', secret: 'y' },
    { attempt: '01890000-0000-7000-8000-000000000000', secret: 'y' },
  ])('does not accept %j as a pending reset', async (named) => {
    expect((await (await begin())(named)).status).toBe(401)
  })
})

test('a recovery code replaces a lost device, when signing in and when setting a password', async () => {
  const external_email = `lost${mailbox}@elsewhere.test`
  const somebody = await makeUser(app(), { settings: { external_email } })
  const { access_token: token } = await signInAs(app(), somebody)
  const { recoveryCodes = [], code } = await enrolTotp(app(), token)
  await pairDevice(app(), token)
  expect((await login(app(), somebody, { async: true, secondfactor: code() })).status).toBe(202)
  const [first, second] = recoveryCodes
  expect((await login(app(), somebody, { async: true, secondfactor: first })).status).toBe(200)
  expect((await (await begin(somebody))({ async: true, secondfactor: second })).status).toBe(200)
})
