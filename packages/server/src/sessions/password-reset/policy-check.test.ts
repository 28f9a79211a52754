import { beforeAll, describe, expect, test } from 'vitest'
import {
  type MadeUser,
  makeController,
  makeTenant,
  makeUser,
  signInAs,
  strongPassword,
} from '../../testing/factories.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

let owner: MadeUser
let member: MadeUser
let controller: MadeUser
let stranger: MadeUser
let admin: MadeUser
let foreign: MadeUser

beforeAll(async () => {
  owner = await makeUser(app(), {
    settings: { password_policy: 'min:10,max:30,digit,last:3', external_email: 'owner@elsewhere.test' },
  })
  member = await makeUser(app(), { walletId: owner.walletId })
  controller = await makeUser(app(), { walletId: owner.walletId })
  await makeController(app(), controller, owner.walletId)
  stranger = await makeUser(app())
  admin = await makeUser(app(), { role: 'admin' })
  foreign = await makeUser(app(), {
    tenantId: await makeTenant(app(), 3),
    settings: { password_policy: 'min:33' },
  })
})

async function check(body: object, as?: MadeUser): Promise<Answer> {
  const token = as && (await signInAs(app(), as)).access_token
  return app().call('POST /api/auth/password-policy-check', { body, token })
}

const minimum = (answer: Answer) =>
  answer.body.list.find((rule: { label: string }) => rule.label === 'min').param as string

test("without a session the system's policy is checked", async () => {
  expect((await check({ password: strongPassword })).body).toEqual({
    status: 'success',
    list: [
      { label: 'min', name: 'At least 6 characters', param: '6', enabled: true, status: true },
      { label: 'max', name: 'At most 255 characters', param: '255', enabled: true, status: true },
      {
        ...{ label: 'common', name: 'Not a common or easily guessed password' },
        ...{ param: null, enabled: true, status: true },
      },
      {
        ...{ label: 'personal', name: 'Not based on personal details or the product name' },
        ...{ param: null, enabled: true, status: true },
      },
    ],
    count: 4,
  })
})

test('a missing, empty or short password fails rules, but the call succeeds', async () => {
  for (const password of [undefined, null, '', '12345']) {
    const { status, body } = await check({ password })
    expect({ status, outcome: body.status }).toEqual({ status: 200, outcome: 'error' })
  }
})

test('a blank password has the required length but is rejected as guessable', async () => {
  const { status, list } = (await check({ password: '      ' })).body
  const met = list.filter((rule: { status: boolean }) => rule.status)
  expect({ status, met: met.map((rule: { label: string }) => rule.label) }).toEqual({
    status: 'error',
    met: ['min', 'max', 'personal'],
  })
})

test("a user's policy is that of the account's owner, on top of the system's minimum", async () => {
  for (const who of [owner, member, controller]) {
    const answer = await check({ password: 'simple123' }, who)
    expect(
      answer.body.list.map((rule: { label: string; param: string | null }) => [rule.label, rule.param]),
    ).toEqual([
      ['min', '10'],
      ['max', '30'],
      ['digit', null],
      ['last', '3'],
      ['common', null],
      ['personal', null],
    ])
    expect(answer.body.status).toBe('error')
  }
})

test('the current password is not revealed: every password passes "last"', async () => {
  const { list } = (await check({ password: owner.password }, owner)).body
  expect(list).toContainEqual(expect.objectContaining({ label: 'last', status: true }))
})

describe("another user's policy", () => {
  test('is shown to users who may change that user', async () => {
    for (const who of [owner, controller]) {
      expect(minimum(await check({ password: 'x', user: member.id }, who))).toBe('10')
      expect(minimum(await check({ password: 'x', user: String(member.id) }, who))).toBe('10')
    }
  })

  test("is not shown to strangers, members, other tenants or anonymous callers: they get the system's rules", async () => {
    for (const who of [undefined, stranger, foreign, admin]) {
      expect(minimum(await check({ password: 'x', user: owner.id }, who))).toBe('6')
    }
    expect(minimum(await check({ password: 'x', user: foreign.id }, owner))).toBe('6')
    expect(minimum(await check({ password: 'x', user: foreign.id }, admin))).toBe('6')
  })

  test.each([0, -1, 1.5, 4294967296, 1e30, 'abc', '1 or 1=1', '007'])(
    "of user %j is the system's",
    async (user) => {
      expect(minimum(await check({ password: 'x', user }, owner))).toBe('6')
    },
  )
})

describe('a reset code instead of a session', () => {
  async function resetCodes() {
    const { body } = await app().call('POST /api/auth/password-reset/init', {
      body: { email: owner.email },
      headers: { 'x-forwarded-for': '8.8.4.4' },
    })
    const mail = (await app().mails()).find((one) => one.text.includes(body.code))
    return { code: body.code, short_code: /password-reset\/([A-Z0-9]+)-/.exec(mail?.text ?? '')?.[1] ?? '' }
  }

  test("shows the policy of the code's user", async () => {
    const codes = await resetCodes()
    expect(minimum(await check({ password: 'x', ...codes }))).toBe('10')
    expect(minimum(await check({ password: 'x', code: codes.code }))).toBe('6')
  })

  test('is rejected if wrong, and throttled', async () => {
    const { code } = await resetCodes()
    for (let guess = 1; guess <= 6; guess++) {
      const { status, body } = await check({ password: 'x', code, short_code: 'WRONG' })
      expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['short_code'] })
    }
    expect((await check({ password: 'x', code, short_code: 'WRONG' })).status).toBe(429)
  })
})

test.each([
  [{ password: 5 }, 'password'],
  [{ password: ['x'] }, 'password'],
  [{ password: 'x'.repeat(1025) }, 'password'],
  [{ user: true }, 'user'],
  [{ user: { id: 1 } }, 'user'],
  [{ code: 1 }, 'code'],
  [{ short_code: 'x'.repeat(33) }, 'short_code'],
])('%j is reported at its field', async (body, field) => {
  const answer = await check(body)
  expect({ status: answer.status, fields: Object.keys(answer.body.errors) }).toEqual({
    status: 422,
    fields: [field],
  })
})

test('an invalid token is treated as none', async () => {
  const answer = await app().call('POST /api/auth/password-policy-check', {
    body: { password: 'x' },
    token: 'bad',
  })
  expect(answer.status).toBe(200)
})
