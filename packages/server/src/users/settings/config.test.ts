import { languages } from '@gatehouse/contract/language'
import { userConfigInput } from '@gatehouse/contract/policies'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { signInAs, strongPassword } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Who = 'owner' | 'controller' | 'member'

const set = (who: Who, about: Who, body: unknown) =>
  account.as(who, `POST /api/v4/users/${account[about].id}/config`, body)

const stored = async (about: Who) => {
  const rows = await app()
    .database.db.selectFrom('userSettings')
    .select(['key', 'value'])
    .where('userId', '=', account[about].id)
    .where('key', 'in', Object.keys(userConfigInput.shape))
    .execute()
  return Object.fromEntries(rows.map((row) => [row.key, row.value]))
}

const flagKeys = ['greylist_policy', 'itip_policy', 'externalsender_policy'] as const
const inheritKeys = ['greylist_enabled', 'itip_config', 'externalsender_config'] as const

describe('an account flag', () => {
  test.each(flagKeys)('%s accepts booleans, numbers and words', async (key) => {
    for (const [sent, value] of [
      [true, true],
      [false, false],
      [1, true],
      [0, false],
      ['true', true],
      ['false', false],
      ['1', true],
      ['0', false],
      ['', false],
      [null, false],
    ] as const) {
      const { status, body } = await set('owner', 'owner', { [key]: sent })
      expect({ status, value: body.config?.[key] }, JSON.stringify(sent)).toEqual({ status: 200, value })
      expect(await stored('owner')).toEqual({ [key]: String(value) })
    }
  })
})

describe('a user flag', () => {
  test.each(inheritKeys)('%s is true, false, or inherited from the account', async (key) => {
    for (const [sent, value] of [
      [true, true],
      ['false', false],
      [1, true],
      [null, null],
      [0, false],
      ['', null],
    ] as const) {
      const { status, body } = await set('owner', 'member', { [key]: sent })
      expect({ status, value: body.config?.[key] }, JSON.stringify(sent)).toEqual({ status: 200, value })
      expect(await stored('member')).toEqual(value === null ? {} : { [key]: String(value) })
    }
  })

  test('guam_enabled is true or absent', async () => {
    expect((await set('owner', 'member', { guam_enabled: '1' })).body.config.guam_enabled).toBe(true)
    expect(await stored('member')).toEqual({ guam_enabled: 'true' })
    for (const sent of [false, 0, null, 'false']) {
      await set('owner', 'member', { guam_enabled: true })
      expect((await set('owner', 'member', { guam_enabled: sent })).body.config.guam_enabled).toBe(false)
      expect(await stored('member')).toEqual({})
    }
  })
})

describe('lists and numbers', () => {
  test('internal sender domains are stored in canonical form without duplicates', async () => {
    const sent = ['Example.TEST', ' bücher.example ', '', null, 'example.test']
    const { body } = await set('owner', 'owner', { externalsender_policy_domains: sent })
    const value = ['example.test', 'xn--bcher-kva.example']
    expect(body.config.externalsender_policy_domains).toEqual(value)
    expect(body.effective.externalsender_domains).toEqual({ value, source: 'account' })
    for (const empty of [[], null, '', ['', null]]) {
      await set('owner', 'owner', { externalsender_policy_domains: value })
      expect((await set('owner', 'owner', { externalsender_policy_domains: empty })).status).toBe(200)
      expect(await stored('owner')).toEqual({})
    }
  })

  test('countries are stored in upper case without duplicates', async () => {
    const { body } = await set('owner', 'member', { limit_geo: ['ch', 'DE', 'de', ' fr ', ''] })
    expect(body.config.limit_geo).toEqual(['CH', 'DE', 'FR'])
    expect(body.effective.limit_geo).toEqual({ value: ['CH', 'DE', 'FR'], source: 'user' })
    expect((await set('owner', 'member', { limit_geo: [] })).body.config.limit_geo).toEqual([])
    expect(await stored('member')).toEqual({})
  })

  test.each([
    [6, '6'],
    ['12', '12'],
    [120, '120'],
    [0, null],
    ['0', null],
    [null, null],
    ['', null],
  ])('a maximum password age of %j is %j', async (sent, value) => {
    await set('owner', 'owner', { max_password_age: 3 })
    const { status, body } = await set('owner', 'owner', { max_password_age: sent })
    expect({ status, value: body.config.max_password_age }).toEqual({ status: 200, value })
  })

  test("a password policy applies to new passwords immediately, and null restores the system's", async () => {
    const policy = 'min:11,max:120,upper'
    const { body } = await set('owner', 'owner', { password_policy: policy })
    expect(body.config.password_policy).toBe(policy)
    const change = { password: strongPassword, password_confirmation: strongPassword }
    const refused = await account.as('member', `PUT /api/v4/users/${account.member.id}`, change)
    expect(refused.status).toBe(422)
    const cleared = await set('owner', 'owner', { password_policy: null })
    expect(cleared.body.config.password_policy).toBeNull()
    expect(cleared.body.effective.password_policy).toEqual({ value: 'min:6,max:255', source: 'system' })
  })
})

describe('invalid input is rejected at its key', () => {
  const boolean = 'Choose yes or no.'
  const wrong: [key: string, about: Who, values: unknown[], error: string][] = [
    ...flagKeys.map((key): (typeof wrong)[number] => [
      key,
      'owner',
      [2, -1, 1.5, 'yes', 'TRUE', [], {}, [true]],
      boolean,
    ]),
    ...inheritKeys.map((key): (typeof wrong)[number] => [
      key,
      'member',
      [2, 'null', 'on', {}, [null]],
      boolean,
    ]),
    ['guam_enabled', 'member', ['off', 3, {}], boolean],
    [
      'externalsender_policy_domains',
      'owner',
      ['example.test', 5, true, {}, { 0: 'a.test' }, [1], [['a.test']], [{}], new Array(1001).fill('a.test')],
      'This must be a list of domain names.',
    ],
    [
      'limit_geo',
      'member',
      ['CH', 5, true, {}, [5], [['CH']], ['x'.repeat(17)], new Array(251).fill('CH')],
      'This must be a list of two-letter country codes.',
    ],
    [
      'max_password_age',
      'owner',
      [121, -1, 1.5, 'x', '-3', '1.5', '1e1', ' ٣', true, [], {}, [6], 1e308, 2 ** 53],
      'Enter a whole number of months from 0 to 120.',
    ],
    [
      'password_policy',
      'owner',
      [5, true, {}, [], ['min:6,max:255'], 'min:6', 'x', 'x'.repeat(5000), "'; drop table users; --"],
      'This password policy isn’t valid.',
    ],
  ]
  test.each(wrong)('%s', async (key, about, values, error) => {
    for (const value of values) {
      const { status, body } = await set('owner', about, { [key]: value })
      expect({ status, errors: body.errors }, JSON.stringify(value)?.slice(0, 100)).toEqual({
        status: 422,
        errors: { [key]: error },
      })
    }
    expect(await stored(about)).toEqual({})
  })

  test.each([
    '*.example.test',
    '.example.test',
    'example',
    'user@example.test',
    '127.0.0.1',
    'a b.test',
    'http://a.test',
    '<b>.test',
    '👩‍👩‍👧‍👦',
    `${'x'.repeat(300)}.test`,
  ])('the domain %j', async (domain) => {
    const { status, body } = await set('owner', 'owner', {
      externalsender_policy_domains: ['good.test', domain],
    })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { externalsender_policy_domains: `“${domain.slice(0, 100)}” isn’t a domain name.` },
    })
  })

  test.each(['XX', 'ZZ', 'UK', 'C', 'CHE', '1', '**', 'ß', 'ı', 'xx', '👩'])(
    'the country %j',
    async (code) => {
      const { status, body } = await set('owner', 'member', { limit_geo: ['CH', code] })
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: { limit_geo: `“${code}” isn’t a country code.` },
      })
    },
  )

  test.each([
    ['min:5,max:255', 'The minimum length can’t be less than 6 characters.'],
    ['min:6,max:300', 'The maximum length can’t be more than 255 characters.'],
    ['min:30,max:20', 'The minimum length can’t be more than the maximum length.'],
    ['min:6,max:255,last:25', 'Enter a number of passwords from 1 to 24.'],
  ])('the password policy %s', async (password_policy, error) => {
    const { status, body } = await set('owner', 'owner', { password_policy })
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { password_policy: error } })
  })

  test('an unknown key', async () => {
    const unknown = 'This setting doesn’t exist.'
    for (const key of ['greylist', 'email', 'role', 'plan_id', 'external_email', 'constructor', 'toString']) {
      const { status, body } = await set('owner', 'member', { [key]: 'true' })
      expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { [key]: unknown } })
    }
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, 1]))
    expect(Object.keys((await set('owner', 'member', many)).body.errors)).toHaveLength(20)
    const form = await app().call(`POST /api/v4/users/${account.member.id}/config?__proto__=x`, {
      token: (await signInAs(app(), account.owner)).access_token,
      body: '__proto__=x&guam_enabled=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.status, form.body.errors]).toEqual([422, { input: unknown }])
    expect(await stored('member')).toEqual({})
  })

  test('an account policy on anyone but the owner', async () => {
    for (const key of [...flagKeys, 'externalsender_policy_domains', 'password_policy', 'max_password_age']) {
      const { status, body } = await set('owner', 'member', { [key]: null })
      expect({ status, keys: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, keys: [key] })
    }
  })

  test('mixed with valid keys: nothing is saved, and every invalid key is reported', async () => {
    const { status, body } = await set('owner', 'owner', {
      greylist_policy: false,
      itip_policy: 'maybe',
      max_password_age: 6,
      limit_geo: ['XX'],
      nonsense: 1,
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(['itip_policy', 'limit_geo', 'nonsense'])
    expect(await stored('owner')).toEqual({})
  })

  test('in the language of the reader', async () => {
    const { access_token: token } = await signInAs(app(), account.owner)
    const texts = new Set<string>()
    for (const language of languages) {
      const call = (body: unknown) =>
        app().call(`POST /api/v4/users/${account.owner.id}/config`, {
          token,
          body,
          headers: { 'accept-language': language },
        })
      const { body } = await call({ password_policy: 'min:1,max:9', limit_geo: ['XX'], nonsense: 1 })
      for (const text of Object.values<string>(body.errors)) texts.add(text)
      texts.add((await call({ itip_policy: true })).body.message)
    }
    expect(texts.size).toBe(4 * languages.length)
    for (const text of texts) expect(text).not.toMatch(/policies\.|[{}]/)
  })
})

describe("a user's own country list", () => {
  const lock = async (ip: string, about: Who, limit_geo: string[]) => {
    const { access_token: token } = await signInAs(app(), account.owner)
    const { status, body } = await app().call(`POST /api/v4/users/${account[about].id}/config`, {
      token,
      ip,
      body: { limit_geo },
    })
    return { status, error: body.errors?.limit_geo }
  }

  test('must include their current country', async () => {
    expect(await lock('8.8.8.8', 'owner', ['CH'])).toEqual({
      status: 422,
      error: expect.stringContaining('you’re in now (US)'),
    })
    expect(await lock('8.8.8.8', 'owner', ['CH', 'us'])).toEqual({ status: 200 })
    expect(await stored('owner')).toEqual({ limit_geo: '["CH","US"]' })
  })

  test('cannot be set from an unknown country, but can be removed', async () => {
    for (const ip of ['127.0.0.1', '10.0.0.1', '::1']) {
      expect(await lock(ip, 'owner', ['CH'])).toEqual({
        status: 422,
        error: expect.stringContaining('We can’t tell which country you’re in'),
      })
      expect(await lock(ip, 'owner', [])).toEqual({ status: 200 })
    }
  })

  test('is not restricted for other users', async () => {
    expect(await lock('8.8.8.8', 'member', ['CH'])).toEqual({ status: 200 })
    expect(await lock('10.0.0.1', 'member', ['DE'])).toEqual({ status: 200 })
  })
})
