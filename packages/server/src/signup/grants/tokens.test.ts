import { beforeAll, describe, expect, test } from 'vitest'
import { after, day } from '../../platform/clock.ts'
import { makeDomain, makeTenant } from '../../testing/factories.ts'
import { bareStep, makePlan, makeToken } from '../../testing/signup/signup-ways.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let clubId = ''

beforeAll(async () => {
  await makeTenant(app(), 4)
  await makeDomain(app(), 'example.test')
  clubId = await makePlan(app(), { title: 'club', mode: 'token' })
  const otherId = await makePlan(app(), { title: 'staff', mode: 'token' })
  const foreignId = await makePlan(app(), { title: 'club', mode: 'token', tenantId: 4 })
  await makeToken(app(), 'Open-Sesame', clubId)
  await makeToken(app(), 'OTHER', otherId)
  await makeToken(app(), 'FOREIGN', foreignId)
  await makeToken(app(), 'OLD', clubId, { expiresAt: app().clock.now() })
})

let caller = 0
const ip = () => `203.0.${++caller >> 8}.${caller & 255}`

const call = (step: string, body: object, from = ip()): Promise<Answer> =>
  app().call(`POST /api/auth/signup${step}`, { body, ip: from })

const settingsOf = async (id: number) => {
  const rows = await app()
    .database.db.selectFrom('userSettings')
    .select(['key', 'value'])
    .where('userId', '=', id)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.key, row.value]))
}

const counterOf = async (token: string) => {
  const row = await app()
    .database.db.selectFrom('signupTokens')
    .select('counter')
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  return row.counter
}

const invalid = { token: 'This sign-up token isn’t valid.' }

describe('a plan with tokens', () => {
  test('requires the token in the first step and continues directly with the last', async () => {
    const names = { first_name: 'Ada', last_name: 'Lovelace' }
    const first = await call('/init', { plan: 'club', token: 'open-sesame', ...names })
    expect(first).toMatchObject({
      status: 200,
      body: { mode: 'token', is_domain: false, short_code: expect.stringMatching(/^[2-9A-Z]{5}$/) },
    })
    const { code, short_code } = first.body
    const verified = await call('/verify', { code, short_code })
    expect(verified.body).toMatchObject({ email: 'OPEN-SESAME', plan: 'club', first_name: 'Ada' })
    const before = await counterOf('OPEN-SESAME')
    const { status, body } = await call('', bareStep('by.code', { code, short_code }))
    expect({ status, email: body.email }).toEqual({ status: 200, email: 'by.code@example.test' })
    expect(await settingsOf(body.id)).toMatchObject({
      ...names,
      signup_token: 'OPEN-SESAME',
      plan_id: clubId,
    })
    expect(await settingsOf(body.id)).not.toHaveProperty('external_email')
    expect(await counterOf('OPEN-SESAME')).toBe(before + 1)
    expect(await app().mails()).toEqual([])
  })

  test('also accepts the token in the last step alone', async () => {
    const { status, body } = await call('', bareStep('direct', { plan: 'club', token: 'OPEN-sesame' }))
    expect(status).toBe(200)
    expect(await settingsOf(body.id)).toMatchObject({ signup_token: 'OPEN-SESAME', plan_id: clubId })
    expect(body).toMatchObject({ isLocked: false, isRestricted: true })
    expect(body.checkout).toBeUndefined()
  })

  test.each([
    [undefined, { token: ['Fill in this field.'] }],
    ['', { token: ['Fill in this field.'] }],
    ['nothing', invalid],
    ['OTHER', invalid],
    ['FOREIGN', invalid],
    ['OLD', invalid],
    ["' or 1=1", invalid],
    [5, { token: ['This must be text.'] }],
    ['x'.repeat(192), { token: ['Enter at most 191 characters.'] }],
  ])('refuses the token %j in the first step', async (token, errors) => {
    const { status, body } = await call('/init', { plan: 'club', token })
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors })
  })

  test.each(['nothing', 'OTHER', 'FOREIGN', 'OLD'])(
    'refuses the token %s in the last step',
    async (token) => {
      for (const step of ['/validate', '']) {
        const { status, body } = await call(step, bareStep('refused', { plan: 'club', token }))
        expect({ status, errors: body.errors }).toEqual({ status: 422, errors: invalid })
      }
    },
  )

  test('cannot be obtained with the code of another plan, nor with a token for another one', async () => {
    const mailed = await call('/init', { plan: 'individual', email: 'sneaky@elsewhere.test' })
    const mail = (await app().mails()).find((one) => one.text.includes(mailed.body.code))
    const short_code = /\/signup\/([A-Z0-9]+)-/.exec(mail?.text ?? '')?.[1]
    const { code } = mailed.body
    const { body } = await call('', bareStep('sneaky', { code, short_code, plan: 'club' }))
    expect((await settingsOf(body.id)).plan_id).not.toBe(clubId)
    const wrong = await call('', bareStep('sneaky2', { plan: 'individual', token: 'OPEN-SESAME' }))
    expect(wrong.body.errors).toEqual(invalid)
  })

  test('cannot be obtained without any proof', async () => {
    const { status, body } = await call('', bareStep('nothing', { plan: 'club' }))
    expect({ status, fields: Object.keys(body.errors).sort() }).toEqual({
      status: 422,
      fields: ['code', 'short_code'],
    })
  })

  test('rejects an expired token, even if it expires after the first step', async () => {
    await makeToken(app(), 'SOON', clubId, { expiresAt: after(app().clock.now(), day) })
    const { body } = await call('/init', { plan: 'club', token: 'SOON' })
    app().clock.advance(day - 1)
    const step = bareStep('late', { code: body.code, short_code: body.short_code })
    expect((await call('/validate', step)).status).toBe(200)
    app().clock.advance(1)
    expect((await call('', step)).status).toBe(422)
  })

  test('throttles guesses at tokens', async () => {
    const guess = (turn: number) =>
      call('/init', { plan: 'club', token: `guess${turn}` }, '192.0.2.77').then(({ status }) => status)
    for (let turn = 1; turn <= 50; turn++) expect(await guess(turn)).toBe(422)
    expect(await guess(51)).toBe(429)
  })
})

test('a token limited to ten succeeds for ten of fifty concurrent users, and the others leave no rows', async () => {
  await makeToken(app(), 'TEN', clubId, { limit: 10 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call('', bareStep(`crowd${n}`, { plan: 'club', token: 'TEN' }))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  for (const { body } of answers.filter(({ status }) => status !== 200)) {
    expect(body.errors).toEqual(invalid)
  }
  expect(await counterOf('TEN')).toBe(10)
  const users = await app()
    .database.db.selectFrom('users')
    .select('id')
    .where('email', 'like', 'crowd%')
    .execute()
  expect(users).toHaveLength(10)
})

test('repeated sign-ups without a first step are throttled', async () => {
  const make = (n: number) =>
    call('', bareStep(`many${n}`, { plan: 'club', token: 'OPEN-SESAME' }), '192.0.2.78')
  for (let n = 1; n <= 50; n++) expect((await make(n)).status).toBe(200)
  expect((await make(51)).status).toBe(429)
})
