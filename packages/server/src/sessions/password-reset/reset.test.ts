import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeAlias,
  makeTotp,
  makeUser,
  signInAs,
  strongPassword,
  type UserFacts,
} from '../../testing/factories.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

let caller = 0
let ip = ''
beforeEach(() => {
  ip = `8.8.${++caller >> 8}.${caller & 255}`
})

let mailbox = 0
const externalAddress = () => `private${++mailbox}@elsewhere.test`

async function person(facts: UserFacts = {}): Promise<MadeUser & { external: string }> {
  const external = externalAddress()
  const user = await makeUser(app(), { ...facts, settings: { external_email: external, ...facts.settings } })
  return { ...user, external }
}

const init = (email: unknown) => app().call('POST /api/auth/password-reset/init', { body: { email }, ip })
const verify = (code: unknown, short_code: unknown) =>
  app().call('POST /api/auth/password-reset/verify', { body: { code, short_code }, ip })
const reset = (body: object) => app().call('POST /api/auth/password-reset', { body, ip })
const login = (user: MadeUser, password: string) =>
  app().call('POST /api/auth/login', { body: { email: user.email, password } })

async function mailsTo(address: string) {
  return (await app().mails()).filter((mail) => mail.to.some((to) => to.address === address))
}

/** Requests a code and reads the mail. */
async function codes(user: { email: string; external: string }) {
  const { body } = await init(user.email)
  const pattern = /\/password-reset\/([A-Z0-9]+)-([A-Za-z0-9]+)/
  const mail = (await mailsTo(user.external)).find(({ text }) => pattern.test(text ?? ''))
  const link = pattern.exec(mail?.text ?? '')
  expect(link?.[2]).toBe(body.code)
  return { code: body.code as string, short_code: link?.[1] ?? '' }
}

const fresh = { password: 'brand-new-1', password_confirmation: 'brand-new-1' }
const invalid = { short_code: 'This code is wrong or has expired.' }

function expectInvalid(answer: Answer) {
  expect({ status: answer.status, errors: answer.body.errors }).toEqual({ status: 422, errors: invalid })
}

describe('requesting a code', () => {
  test('responds the same to everyone and sends mail only where appropriate', async () => {
    const user = await person()
    const locked = await person({ settings: { limit_geo: '["CH"]' } })
    const technical = await person({ role: 'service' })
    const gone = await person()
    await deleteUser(app(), gone)
    const homeless = await makeUser(app())
    const answers: Answer[] = []
    for (const email of [user, locked, technical, gone, homeless].map((one) => one.email))
      answers.push(await init(email))
    answers.push(await init('nobody@nowhere.test'), await init(user.external))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual({ status: 'success', code: expect.stringMatching(/^[A-Za-z0-9]{32}$/) })
    }
    expect(await mailsTo(user.external)).toHaveLength(1)
    for (const one of [locked, technical, gone]) expect(await mailsTo(one.external)).toEqual([])
    expect(await mailsTo(homeless.email)).toEqual([])
  })

  test('works with an alias and is case-insensitive', async () => {
    const user = await person()
    await makeAlias(app(), user, `alias${user.id}@example.test`)
    await init(`ALIAS${user.id}@Example.test`)
    const [mail] = await mailsTo(user.external)
    expect(mail?.text).toContain(user.email)
  })

  test("mails code and link in the user's language, or else that of the request", async () => {
    const user = await person()
    await app().database.db.updateTable('users').set({ language: 'fr' }).where('id', '=', user.id).execute()
    await init(user.email)
    const stranger = await person()
    await app()
      .database.db.updateTable('users')
      .set({ language: null })
      .where('id', '=', stranger.id)
      .execute()
    await app().call('POST /api/auth/password-reset/init', {
      body: { email: stranger.email },
      ip,
      headers: { 'accept-language': 'it' },
    })
    const [french, italian] = [(await mailsTo(user.external))[0], (await mailsTo(stranger.external))[0]]
    expect(french?.subject).toBe('Réinitialisez votre mot de passe Gatehouse')
    expect(italian?.subject).not.toBe(french?.subject)
    expect(french?.text).toMatch(/http:\/\/localhost:8000\/password-reset\/[2-9A-Z]{8}-[A-Za-z0-9]{32}/)
  })

  test("is visible to the account's owner", async () => {
    const user = await person()
    await codes(user)
    const log = await app()
      .database.db.selectFrom('eventLog')
      .select(['event', 'ip', 'comment', 'data'])
      .where('objectId', '=', user.id)
      .execute()
    const data = { mail: 'PasswordReset', recipients: [user.external] }
    const comment = expect.stringMatching(/^\[PasswordReset\] .*password/)
    expect(log).toEqual([{ event: 'mail.sent', ip, comment, data }])
  })

  test.each([
    undefined,
    null,
    '',
    'x',
    'a@b',
    'a b@c.test',
    'a@b.test\nx',
    5,
    ['a@b.test'],
    `${'x'.repeat(200)}@b.test`,
  ])('for %j is reported at the field', async (email) => {
    const { status, body } = await init(email)
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: ['email'] })
  })

  test('is throttled when repeated, for any user and from anywhere', async () => {
    const user = await person()
    const from = (turn: number, email: string) =>
      app().call('POST /api/auth/password-reset/init', { body: { email }, ip: `192.0.2.${turn}` })
    for (const email of [user.email, 'flood@nowhere.test']) {
      for (let turn = 1; turn <= 6; turn++) expect((await from(turn, email)).status).toBe(200)
      const { status, headers } = await from(7, email.toUpperCase())
      expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '2' })
    }
  })

  test('sends only a handful of e-mails for fifty concurrent requests', async () => {
    const user = await person()
    const answers = await Promise.all(Array.from({ length: 50 }, () => init(user.email)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(6)
    expect(await mailsTo(user.external)).toHaveLength(6)
  })
})

describe('a code', () => {
  test('identifies its user', async () => {
    const user = await person()
    const { code, short_code } = await codes(user)
    expect((await verify(code, short_code)).body).toEqual({ status: 'success', userId: user.id })
    expect((await verify(code, short_code.toLowerCase())).status).toBe(200)
  })

  test('without an owner matches no short code', async () => {
    const { body } = await init('nobody@nowhere.test')
    await app().jobs.drain()
    expectInvalid(await verify(body.code, 'ABCDEFGH'))
  })

  test.each([
    ['AAAA', 'BBBB'],
    ['x'.repeat(64), 'x'],
    ["' or 1=1 --", '%'],
    ['üñ🔑', '🔑'],
  ])('a made-up %s %s is rejected', async (code, short) => {
    expectInvalid(await verify(code, short))
    expectInvalid(await reset({ code, short_code: short, ...fresh }))
  })

  test('is rejected with a wrong short code, that of another code, or the wrong case', async () => {
    const [mine, other] = [await codes(await person()), await codes(await person())]
    expectInvalid(await verify(mine.code, 'WRONGONE'))
    expectInvalid(await verify(mine.code, other.short_code))
    expectInvalid(await verify(mine.code.toLowerCase(), mine.short_code))
    expectInvalid(await verify(mine.short_code, mine.code))
  })

  test('is rejected after eight hours', async () => {
    const { code, short_code } = await codes(await person())
    app().clock.advance(8 * 3600 - 1)
    expect((await verify(code, short_code)).status).toBe(200)
    app().clock.advance(1)
    expectInvalid(await verify(code, short_code))
  })

  test('is rejected if its user was deleted', async () => {
    const user = await person()
    const { code, short_code } = await codes(user)
    await deleteUser(app(), user)
    expectInvalid(await verify(code, short_code))
    expectInvalid(await reset({ code, short_code, ...fresh }))
  })

  test('is invalidated by ten wrong guesses, which are throttled as well', async () => {
    const { code, short_code } = await codes(await person())
    const seen: number[] = []
    for (let guess = 1; guess <= 10; guess++) {
      const { status } = await verify(code, 'WRONGONE')
      seen.push(status)
      if (guess >= 6) {
        expect((await verify(code, short_code)).status).toBe(429)
        app().clock.advance(900)
      }
    }
    expect(seen).toEqual(Array.from({ length: 10 }, () => 422))
    expectInvalid(await verify(code, short_code))
  })

  test('survives nine wrong guesses', async () => {
    const { code, short_code } = await codes(await person())
    for (let guess = 1; guess <= 9; guess++) {
      await verify(code, 'WRONGONE')
      if (guess >= 6) app().clock.advance(900)
    }
    expect((await verify(code, short_code)).status).toBe(200)
    expect((await verify(code, short_code)).status).toBe(200)
  })

  test('is tried only a few times by fifty concurrent guesses', async () => {
    const { code, short_code } = await codes(await person())
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(code, 'WRONGONE')))
    expect(answers.filter((answer) => answer.status === 422).length).toBeLessThanOrEqual(10)
    expect(answers.every((answer) => [422, 429].includes(answer.status))).toBe(true)
    expect((await verify(code, short_code)).status).toBe(429)
  })

  test.each([
    [{}, ['code', 'short_code']],
    [{ code: '', short_code: null }, ['code', 'short_code']],
    [{ code: 1, short_code: ['A'] }, ['code', 'short_code']],
    [{ code: 'x'.repeat(65), short_code: 'x'.repeat(33) }, ['code', 'short_code']],
    [{ code: 'x' }, ['short_code']],
  ])('%j is reported at its fields', async (body, fields) => {
    const answer = await app().call('POST /api/auth/password-reset/verify', { body, ip })
    expect({ status: answer.status, fields: Object.keys(answer.body.errors) }).toEqual({
      status: 422,
      fields,
    })
  })
})

describe('a new password', () => {
  test('signs in, ends all other sessions, invalidates all other codes, and is reported by mail', async () => {
    const user = await person()
    const before = await signInAs(app(), user)
    const first = await codes(user)
    app().clock.advance(60)
    const second = await codes(user)
    const { status, body } = await reset({ ...second, ...fresh })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'success', id: user.id, token_type: 'bearer' })
    expect((await app().call('GET /api/auth/info', { token: body.access_token })).status).toBe(200)
    expect((await app().call('GET /api/auth/info', { token: before.access_token })).status).toBe(401)
    const renewal = { refresh_token: before.refresh_token }
    expect((await app().call('POST /api/auth/refresh', { body: renewal })).status).toBe(401)
    expect((await login(user, user.password)).status).toBe(401)
    expect((await login(user, fresh.password)).status).toBe(200)
    expectInvalid(await reset({ ...second, ...fresh }))
    expectInvalid(await verify(first.code, first.short_code))
    app().clock.advance(60)
    const [notice] = await mailsTo(user.external)
    expect(notice?.subject).toBe('Your Gatehouse password was changed')
    expect(notice?.text).toContain(ip)
    expect(JSON.stringify(notice)).not.toContain(fresh.password)
    const log = await app()
      .database.db.selectFrom('eventLog')
      .select('event')
      .where('objectId', '=', user.id)
      .execute()
    expect(log.map((row) => row.event)).toContain('password.changed')
  })

  test.each([
    [{}, ['Fill in this field.']],
    [{ password: '', password_confirmation: '' }, ['Fill in this field.']],
    [{ password: 'abc', password_confirmation: 'abc' }, ['This password doesn’t meet all the rules.']],
    [{ password: 'long-enough' }, ['The two entries don’t match.']],
    [{ password: 'long-enough', password_confirmation: 'long-enougH' }, ['The two entries don’t match.']],
    [
      { password: 'x'.repeat(256), password_confirmation: 'x'.repeat(256) },
      ['This password doesn’t meet all the rules.'],
    ],
    [{ password: 12345678, password_confirmation: 12345678 }, ['This must be text.']],
  ])('that is invalid (%j) changes nothing and keeps the code', async (passwords, errors) => {
    const user = await person()
    const pair = await codes(user)
    const { status, body } = await reset({ ...pair, ...passwords })
    expect({ status, errors: body.errors.password }).toEqual({ status: 422, errors })
    expect((await login(user, user.password)).status).toBe(200)
    expect((await verify(pair.code, pair.short_code)).status).toBe(200)
  })

  test("must meet the policy of the account's owner", async () => {
    const owner = await person({ settings: { password_policy: 'min:12,special' } })
    const member = await person({ walletId: owner.walletId })
    const pair = await codes(member)
    const weak = await reset({ ...pair, ...fresh })
    expect(weak.body.errors).toEqual({ password: ['This password doesn’t meet all the rules.'] })
    const strong = 'quite-long-now'
    expect((await reset({ ...pair, password: strong, password_confirmation: strong })).status).toBe(200)
  })

  test('must differ from the last three if the policy says so; older ones are allowed', async () => {
    const user = await person({ password: strongPassword, settings: { password_policy: 'min:6,last:3' } })
    const change = async (password: string) => {
      app().clock.advance(3600)
      return (await reset({ ...(await codes(user)), password, password_confirmation: password })).status
    }
    expect(await change(user.password)).toBe(422)
    expect(await change('second-anchor')).toBe(200)
    expect(await change('third-anchor')).toBe(200)
    for (const old of [user.password, 'second-anchor', 'third-anchor'])
      expect(await change(old), old).toBe(422)
    expect(await change('fourth-anchor')).toBe(200)
    expect(await change(user.password)).toBe(200)
    const kept = await app()
      .database.db.selectFrom('passwordHistory')
      .select('id')
      .where('userId', '=', user.id)
      .execute()
    expect(kept).toHaveLength(2)
  })

  test('requires the second factor; a wrong one keeps code and password', async () => {
    const user = await person()
    const totp = await makeTotp(app(), user)
    const pair = await codes(user)
    const missing = await reset({ ...pair, ...fresh })
    expect(missing.body.errors).toEqual({ secondfactor: 'Enter your two-step verification code.' })
    const wrong = await reset({ ...pair, ...fresh, secondfactor: '000000' })
    expect(wrong.body.errors).toEqual({ secondfactor: 'This verification code is incorrect.' })
    const stillThere = { email: user.email, password: user.password, secondfactor: totp(-1) }
    expect((await app().call('POST /api/auth/login', { body: stillThere })).status).toBe(200)
    expect((await reset({ ...pair, ...fresh, secondfactor: totp() })).status).toBe(200)
  })

  test('is rejected from a country that the user excluded', async () => {
    const user = await person()
    const pair = await codes(user)
    await app()
      .database.db.insertInto('userSettings')
      .values({ userId: user.id, key: 'limit_geo', value: '["CH"]' })
      .execute()
    expect((await reset({ ...pair, ...fresh })).status).toBe(401)
    await app()
      .database.db.deleteFrom('userSettings')
      .where('userId', '=', user.id)
      .where('key', '=', 'limit_geo')
      .execute()
    expect((await login(user, user.password)).status).toBe(200)
    expect((await reset({ ...pair, ...fresh })).status).toBe(200)
  })

  test('is set once by two concurrent uses of the code', async () => {
    const user = await person()
    const pair = await codes(user)
    const answers = await Promise.all(
      ['first-one-1', 'other-one-1'].map((password) =>
        reset({ ...pair, password, password_confirmation: password }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 422])
    const winner = answers[0]?.status === 200 ? 'first-one-1' : 'other-one-1'
    expect((await login(user, winner)).status).toBe(200)
  })

  test('can be set by a suspended user, who stays suspended', async () => {
    const user = await person({ status: userStatus.active | userStatus.suspended })
    const { status, body } = await reset({ ...(await codes(user)), ...fresh })
    expect({ status, isSuspended: body.isSuspended }).toEqual({ status: 200, isSuspended: true })
  })
})

test('neither codes nor passwords are stored in the clear', async () => {
  const user = await person()
  const pair = await codes(user)
  const { rows } = await app().database.pool.query<{ dump: string }>(
    'select string_agg(to_jsonb(v)::text, $1) as dump from verification_codes v',
    [' '],
  )
  expect(rows[0]?.dump).not.toContain(pair.code)
  expect(rows[0]?.dump).not.toContain(pair.short_code)
})
