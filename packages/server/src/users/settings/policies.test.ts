import { languages } from '@gatehouse/contract/language'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

describe("an account's policies", () => {
  test("default to the system's, with suggested numbers", async () => {
    const { status, body } = await account.as('owner', 'GET /api/v4/policies')
    expect(status).toBe(200)
    const rule = (label: string, param: string | null, enabled: boolean, limit: number | null = null) => ({
      label,
      name: expect.any(String),
      param,
      enabled,
      required: enabled,
      limit,
    })
    expect(body).toEqual({
      password: [
        rule('min', '6', true, 6),
        rule('max', '255', true, 255),
        rule('lower', null, false),
        rule('upper', null, false),
        rule('digit', null, false),
        rule('special', null, false),
        rule('last', '3', false),
      ],
      mailDelivery: [
        'greylist_policy',
        'itip_policy',
        'externalsender_policy',
        'externalsender_policy_domains',
      ],
      config: {
        max_password_age: null,
        greylist_policy: true,
        itip_policy: false,
        externalsender_policy: false,
        externalsender_policy_domains: [],
      },
      staffAccess: { own: null, usual: true, effective: { value: true, source: 'system' } },
      second_factor: { value: 'optional', source: 'system', required: false },
      ownerId: account.owner.id,
    })
  })

  test('show whether staff have access, and who decided that', async () => {
    const path = `POST /api/v4/users/${account.owner.id}/config`
    expect((await account.as('owner', path, { staff_access_policy: false })).status).toBe(200)
    const { body } = await account.as('owner', 'GET /api/v4/policies')
    expect(body.staffAccess).toEqual({
      own: false,
      usual: true,
      effective: { value: false, source: 'account' },
    })
    await account.as('owner', path, { staff_access_policy: null })
  })

  test('can be saved by another controller, and both see the same', async () => {
    const { body: page } = await account.as('controller', 'GET /api/v4/policies')
    const saved = await account.as('controller', `POST /api/v4/users/${page.ownerId}/config`, {
      password_policy: 'min:11,max:120,upper,last:5',
      max_password_age: 12,
      greylist_policy: false,
      externalsender_policy_domains: ['a.test'],
    })
    expect(saved.status).toBe(200)
    expect(saved.body.message).toBe('The settings have been saved.')
    const answers = [
      await account.as('owner', 'GET /api/v4/policies'),
      await account.as('controller', 'GET /api/v4/policies'),
    ]
    for (const { body } of answers) {
      const rules = body.password.map((rule: { label: string; param: string; enabled: boolean }) => [
        rule.label,
        rule.param,
        rule.enabled,
      ])
      expect(rules).toEqual([
        ['min', '11', true],
        ['max', '120', true],
        ['lower', null, false],
        ['upper', null, true],
        ['digit', null, false],
        ['special', null, false],
        ['last', '5', true],
      ])
      expect(body.config).toMatchObject({
        max_password_age: '12',
        greylist_policy: false,
        externalsender_policy_domains: ['a.test'],
      })
    }
  })

  test('are not available to users without control', async () => {
    expect((await account.as('member', 'GET /api/v4/policies')).status).toBe(403)
    expect((await app().call('GET /api/v4/policies')).status).toBe(401)
  })

  test('of a single user are their own', async () => {
    const solo = await makeUser(app())
    const { access_token: token } = await signInAs(app(), solo)
    expect((await app().call('GET /api/v4/policies', { token })).body.ownerId).toBe(solo.id)
  })

  test("are named in the reader's language", async () => {
    const { access_token: token } = await signInAs(app(), account.owner)
    const names = new Set<string>()
    for (const language of languages) {
      const { body } = await app().call('GET /api/v4/policies', {
        token,
        headers: { 'accept-language': language },
      })
      for (const { name } of body.password) names.add(name)
    }
    expect(names.size).toBe(7 * languages.length)
  })
})

describe('effective settings of a user', () => {
  test('are shown with their origin to those who may read the user', async () => {
    await account.as('owner', `POST /api/v4/users/${account.owner.id}/config`, {
      itip_policy: true,
      max_password_age: 3,
      password_policy: 'min:9,max:99,digit',
    })
    await account.as('owner', `POST /api/v4/users/${account.member.id}/config`, {
      greylist_enabled: false,
      limit_geo: ['CH'],
    })
    for (const who of ['owner', 'controller', 'member'] as const) {
      const { body } = await account.as(who, `GET /api/v4/users/${account.member.id}/effective`)
      expect(body).toEqual({
        greylist: { value: false, source: 'user' },
        itip: { value: true, source: 'account' },
        externalsender: { value: false, source: 'system' },
        externalsender_domains: { value: [], source: 'system' },
        password_policy: { value: 'min:9,max:99,digit', source: 'account' },
        max_password_age: { value: 3, source: 'account' },
        limit_geo: { value: ['CH'], source: 'user' },
        second_factor: { value: 'optional', source: 'system' },
      })
    }
    const hidden = await account.as('member', `GET /api/v4/users/${account.controller.id}/effective`)
    expect(hidden.status).toBe(403)
  })
})

describe('in an installation with a strict policy and no mail filter', () => {
  const strict = useTestApp({
    PASSWORD_POLICY: 'min:8,max:100,upper,last:2',
    APP_WITH_MAILFILTER: 'false',
  })
  let token = ''
  let id = 0

  beforeAll(async () => {
    const user = await makeUser(strict())
    id = user.id
    token = (await signInAs(strict(), user)).access_token
  })

  test('system requirements are marked, and only greylisting is offered', async () => {
    const { body } = await strict().call('GET /api/v4/policies', { token })
    expect(body.mailDelivery).toEqual(['greylist_policy'])
    expect(body.config).toEqual({ max_password_age: null, greylist_policy: true })
    const marks = body.password.map((rule: { label: string; required: boolean; limit: number | null }) => [
      rule.label,
      rule.required,
      rule.limit,
    ])
    expect(marks).toEqual([
      ['min', true, 8],
      ['max', true, 100],
      ['lower', false, null],
      ['upper', true, null],
      ['digit', false, null],
      ['special', false, null],
      ['last', true, 2],
    ])
  })

  test.each([
    ['min:8,max:100,upper,last:2', undefined],
    ['min:8,max:100,upper,last:1', 'The policy must block reuse of at least the last 2 passwords.'],
    ['min:8,max:100,last:2', 'The system requires these kinds of characters. You can’t turn them off.'],
  ])('the policy %s answers %s', async (password_policy, error) => {
    const { body } = await strict().call(`POST /api/v4/users/${id}/config`, {
      token,
      body: { password_policy },
    })
    expect(body.errors?.password_policy).toBe(error)
  })
})
