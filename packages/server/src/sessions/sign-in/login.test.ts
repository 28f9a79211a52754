import { userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import { deleteUser, makeAlias, makeTenant, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

let caller = 0
/** Returns a distinct address, to avoid the throttle per network address. */
const elsewhere = () => `198.51.100.${++caller % 250}`

function login(email: unknown, password: unknown, ip = elsewhere()) {
  return app().call('POST /api/auth/login', { body: { email, password }, ip })
}

const refused = {
  status: 401,
  body: { status: 'error', message: 'The e-mail address or password is incorrect.' },
}

describe('a user signs in', () => {
  test('with address and password', async () => {
    const user = await makeUser(app())
    const { status, body } = await login(user.email, user.password)
    expect(body).toMatchObject({ status: 'success', email: user.email, id: user.id, token_type: 'bearer' })
    expect(status).toBe(200)
  })

  test('regardless of the case of the address', async () => {
    const user = await makeUser(app())
    expect((await login(user.email.toUpperCase(), user.password)).status).toBe(200)
  })

  test('in any tenant, and as staff', async () => {
    const tenantId = await makeTenant(app(), 7)
    const reseller = await makeUser(app(), { role: 'reseller', tenantId })
    const admin = await makeUser(app(), { role: 'admin' })
    expect((await login(reseller.email, reseller.password)).body.tenant_id).toBe(7)
    expect((await login(admin.email, admin.password)).status).toBe(200)
  })

  test('while suspended, degraded, restricted or not ready', async () => {
    for (const status of [
      userStatus.new,
      userStatus.new | userStatus.suspended,
      userStatus.active | userStatus.degraded | userStatus.restricted,
    ]) {
      const user = await makeUser(app(), { status })
      expect((await login(user.email, user.password)).status).toBe(200)
    }
  })

  test('with a password that is long, non-Latin, or blank', async () => {
    for (const password of [
      'x'.repeat(1024),
      'пароль密码🔑',
      '      ',
      "'; drop table users; --",
      'e\u0301te\u0301\\u0000',
    ]) {
      const user = await makeUser(app(), { password })
      expect((await login(user.email, password)).status).toBe(200)
      expect((await login(user.email, `${password.slice(0, -1)}`)).status).not.toBe(200)
    }
  })
})

describe('a refusal looks the same', () => {
  test('for an unknown user', async () => {
    expect(await login('nobody@example.test', 'simple123')).toMatchObject(refused)
  })

  test('for text that is not an address', async () => {
    expect(await login("' or 1=1 --", 'simple123')).toMatchObject(refused)
    expect(await login('%@%', 'simple123')).toMatchObject(refused)
  })

  test('for a wrong password, one in another case, and one with a suffix', async () => {
    const user = await makeUser(app())
    for (const password of ['wrong', 'SIMPLE123', 'simple123 ', ' simple123', 'simple1234']) {
      expect(await login(user.email, password)).toMatchObject(refused)
    }
  })

  test('for a deleted user', async () => {
    const user = await makeUser(app())
    await deleteUser(app(), user)
    expect(await login(user.email, user.password)).toMatchObject(refused)
  })

  test('for a technical account', async () => {
    const user = await makeUser(app(), { role: 'service' })
    expect(await login(user.email, user.password)).toMatchObject(refused)
  })

  test('for a user without a password', async () => {
    const user = await makeUser(app())
    await app()
      .database.db.updateTable('users')
      .set({ passwordHash: null })
      .where('id', '=', user.id)
      .execute()
    expect(await login(user.email, user.password)).toMatchObject(refused)
  })

  test('for an alias or an external address', async () => {
    const user = await makeUser(app(), { settings: { external_email: 'private@elsewhere.test' } })
    await makeAlias(app(), user, 'alias@example.test')
    expect(await login('alias@example.test', user.password)).toMatchObject(refused)
    expect(await login('private@elsewhere.test', user.password)).toMatchObject(refused)
  })

  test('and contains no token, header or session that would reveal more', async () => {
    const user = await makeUser(app())
    const wrong = await login(user.email, 'wrong')
    const unknown = await login('nobody2@example.test', 'wrong')
    expect(wrong.body).toEqual(unknown.body)
    const names = (headers: object) => Object.keys(headers).sort()
    expect(names(wrong.headers)).toEqual(names(unknown.headers))
    const sessions = await app()
      .database.db.selectFrom('sessions')
      .selectAll()
      .where('userId', '=', user.id)
      .execute()
    expect(sessions).toEqual([])
  })

  test('in the language of the request', async () => {
    const { body } = await app().call('POST /api/auth/login', {
      body: { email: 'nobody@example.test', password: 'x' },
      headers: { 'accept-language': 'de' },
    })
    expect(body.message).not.toBe(refused.body.message)
  })
})

describe('a geo-lock', () => {
  const swiss = '5.148.0.1'

  test('admits its countries only, and otherwise responds as to a wrong password', async () => {
    const user = await makeUser(app(), { settings: { limit_geo: '["CH","US"]' } })
    expect((await login(user.email, user.password, '8.8.8.8')).status).toBe(200)
    const german = await makeUser(app(), { settings: { limit_geo: '["DE"]' } })
    expect(await login(german.email, german.password, '8.8.8.8')).toMatchObject(refused)
    expect(await login(german.email, german.password, swiss)).toMatchObject(refused)
  })

  test('rejects addresses without a country', async () => {
    const user = await makeUser(app(), { settings: { limit_geo: '["CH"]' } })
    for (const ip of ['127.0.0.1', '10.1.2.3', '::1']) {
      expect(await login(user.email, user.password, ip)).toMatchObject(refused)
    }
  })

  test('that is empty has no effect', async () => {
    const user = await makeUser(app(), { settings: { limit_geo: '[]' } })
    expect((await login(user.email, user.password, '127.0.0.1')).status).toBe(200)
  })
})

describe('input of the wrong form is reported at its field', () => {
  const required = ['Fill in this field.']
  test.each([
    [{}, { email: required, password: required }],
    [
      { email: null, password: null },
      { email: required, password: required },
    ],
    [
      { email: '', password: '' },
      { email: required, password: required },
    ],
    [{ email: '   ', password: 'x' }, { email: required }],
    [{ email: 'ab', password: 'x' }, { email: ['Enter at least 3 characters.'] }],
    [{ email: 'x'.repeat(513), password: 'x' }, { email: ['Enter at most 512 characters.'] }],
    [
      { email: 'a@b.test', password: 'x'.repeat(1025) },
      { password: [expect.stringMatching(/^Enter at most 1.024 characters.$/)] },
    ],
    [
      { email: 'a@b.test', password: 'x', secondfactor: 'x'.repeat(65) },
      { secondfactor: ['Enter at most 64 characters.'] },
    ],
    [{ email: 'a@b.test', password: 'x', secondfactor: 123456 }, { secondfactor: ['This must be text.'] }],
    [
      { email: true, password: ['x'] },
      { email: ['This must be text.'], password: ['This must be text.'] },
    ],
  ])('%j', async (body, errors) => {
    const answer = await app().call('POST /api/auth/login', { body, ip: elsewhere() })
    expect({ status: answer.status, errors: answer.body.errors }).toEqual({ status: 422, errors })
  })
})

describe('guessing is throttled', () => {
  test('five wrong passwords are free, the sixth costs two seconds, each further one twice as much', async () => {
    const user = await makeUser(app())
    for (let guess = 1; guess <= 6; guess++) expect((await login(user.email, 'wrong')).status).toBe(401)
    for (const wait of [2, 4, 8, 16]) {
      const { status, headers, body } = await login(user.email, 'wrong')
      expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: String(wait) })
      expect(body.message).toContain(`${wait} seconds`)
      app().clock.advance(wait)
      expect((await login(user.email, 'wrong')).status).toBe(401)
    }
  })

  test('the right password must wait too, and then resets the count', async () => {
    const user = await makeUser(app())
    for (let guess = 1; guess <= 6; guess++) await login(user.email, 'wrong')
    expect((await login(user.email, user.password)).status).toBe(429)
    app().clock.advance(2)
    expect((await login(user.email, user.password)).status).toBe(200)
    for (let guess = 1; guess <= 6; guess++) expect((await login(user.email, 'wrong')).status).toBe(401)
  })

  test('an unknown account is throttled like an existing one', async () => {
    for (let guess = 1; guess <= 6; guess++) expect((await login('ghost@example.test', 'x')).status).toBe(401)
    expect((await login('GHOST@example.test', 'x')).status).toBe(429)
  })

  test('a throttled account does not affect another, even from the same place', async () => {
    const [victim, other] = [await makeUser(app()), await makeUser(app())]
    const ip = elsewhere()
    for (let guess = 1; guess <= 6; guess++) await login(victim.email, 'wrong', ip)
    expect((await login(victim.email, victim.password, ip)).status).toBe(429)
    expect((await login(other.email, other.password, ip)).status).toBe(200)
  })

  test('fifty concurrent guesses are counted: few are tried, the rest must wait', async () => {
    const user = await makeUser(app())
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(user.email, 'wrong')))
    const tried = answers.filter((answer) => answer.status === 401).length
    expect(tried).toBeGreaterThanOrEqual(6)
    expect(tried).toBeLessThanOrEqual(10)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(50 - tried)
    expect((await login(user.email, user.password)).status).toBe(429)
  })

  test('a network address that tries many accounts is throttled as well', async () => {
    const ip = '203.0.113.77'
    const user = await makeUser(app())
    for (let guess = 1; guess <= 50; guess++) {
      expect((await login(`spray${guess}@example.test`, 'x', ip)).status).toBe(401)
    }
    expect((await login(user.email, user.password, ip)).status).toBe(429)
    expect((await login(user.email, user.password)).status).toBe(200)
  })

  test('failures expire after a day', async () => {
    const user = await makeUser(app())
    for (let guess = 1; guess <= 6; guess++) await login(user.email, 'wrong')
    app().clock.advance(24 * 3600 + 1)
    for (let guess = 1; guess <= 6; guess++) expect((await login(user.email, 'wrong')).status).toBe(401)
  })

  test('repeated successful sign-ins are never throttled', async () => {
    const user = await makeUser(app())
    for (let round = 1; round <= 8; round++) expect((await login(user.email, user.password)).status).toBe(200)
  })
})

test('a legacy hash signs in and is replaced by a current one', async () => {
  const user = await makeUser(app())
  const { db } = app().database
  // {SSHA} of "simple123" with salt "salt"
  const legacy = '{SSHA}8/npRYZfX10R574Fnq0Ec0K14XJzYWx0'
  const stored = async () =>
    (await db.selectFrom('users').select('passwordHash').where('id', '=', user.id).executeTakeFirstOrThrow())
      .passwordHash
  await db.updateTable('users').set({ passwordHash: legacy }).where('id', '=', user.id).execute()
  expect((await login(user.email, 'wrong')).status).toBe(401)
  expect(await stored()).toBe(legacy)
  expect((await login(user.email, user.password)).status).toBe(200)
  expect(await stored()).toMatch(/^\$argon2id\$/)
  expect((await login(user.email, user.password)).status).toBe(200)
})
