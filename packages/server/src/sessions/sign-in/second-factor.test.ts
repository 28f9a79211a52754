import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeUser, makeTotp, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser
let code: (steps?: number) => string

beforeEach(async () => {
  user = await makeUser(app())
  code = await makeTotp(app(), user)
})

function login(secondfactor?: unknown, password = user.password) {
  return app().call('POST /api/auth/login', { body: { email: user.email, password, secondfactor } })
}

const missing = {
  status: 422,
  body: { errors: { secondfactor: 'Enter your two-step verification code.' } },
}
const wrong = { status: 422, body: { errors: { secondfactor: 'This verification code is incorrect.' } } }

describe('an account with a second factor', () => {
  test('requires the code once the password is right', async () => {
    for (const nothing of [undefined, null, '', '  ']) expect(await login(nothing)).toMatchObject(missing)
  })

  test('does not reveal the factor while the password is wrong', async () => {
    expect(await login(code(), 'wrong')).toMatchObject({ status: 401 })
    expect(await login(undefined, 'wrong')).toMatchObject({ status: 401 })
  })

  test('responds to a wrong password like an account without a factor and an unknown one, in text and timing', async () => {
    const times = { with: [] as number[], without: [] as number[], nobody: [] as number[] }
    const texts = new Set<string>()
    for (let round = 0; round < 25; round++) {
      for (const kind of ['with', 'without', 'nobody'] as const) {
        const one = kind === 'nobody' ? { email: `nobody${round}@example.test` } : await makeUser(app())
        if (kind === 'with' && 'id' in one) await makeTotp(app(), one)
        const began = performance.now()
        const { status, body } = await app().call('POST /api/auth/login', {
          body: { email: one.email, password: 'wrong' },
          ip: `192.0.2.${round}`,
        })
        times[kind].push(performance.now() - began)
        texts.add(JSON.stringify([status, body]))
      }
    }
    expect(texts.size).toBe(1)
    const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
    for (const kind of ['with', 'nobody'] as const) {
      const ratio = median(times[kind]) / median(times.without)
      expect(ratio, kind).toBeGreaterThan(0.5)
      expect(ratio, kind).toBeLessThan(2)
    }
  })

  test('accepts the code, also with spaces as phones show it', async () => {
    expect((await login(`${code().slice(0, 3)} ${code().slice(3)}`)).status).toBe(200)
  })

  test.each([
    '000000',
    '12345',
    '1234567',
    'abcdef',
    '１２３４５６',
    '-12345',
    '1e5000',
    '🔑🔑🔑',
    'x'.repeat(64),
    '١٢٣٤٥٦',
  ])('rejects %s', async (text) => {
    expect(await login(text)).toMatchObject(wrong)
  })

  test('accepts each code once', async () => {
    const once = code()
    expect((await login(once)).status).toBe(200)
    expect(await login(once)).toMatchObject(wrong)
    app().clock.advance(30)
    expect(await login(once)).toMatchObject(wrong)
    expect((await login(code())).status).toBe(200)
  })

  test('accepts one of fifty concurrent requests with the same code', async () => {
    const once = code()
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(once)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 422, 429].includes(status))).toEqual([])
  })

  test('rejects fifty concurrent guesses, checks only a few, and throttles the next one', async () => {
    const right = new Set([-1, 0, 1].map((steps) => code(steps)))
    const guesses = Array.from({ length: 53 }, (_, guess) => String(100_000 + guess)).filter(
      (guess) => !right.has(guess),
    )
    const answers = await Promise.all(guesses.slice(0, 50).map((guess) => login(guess)))
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThan(16)
    expect((await login(code())).status).toBe(429)
  })

  test('accepts no code twice, wherever it was used first', async () => {
    const [first, second] = [code(-1), code()]
    const { body } = await login(first)
    const token = body.access_token
    const stepUp = (secondfactor: string) =>
      app().call('POST /api/auth/step-up', { token, body: { secondfactor } })
    expect((await stepUp(first)).status).toBe(422)
    expect((await stepUp(second)).status).toBe(200)
    expect(await login(second)).toMatchObject(wrong)
  })

  test.each([-1, 0, 1])('accepts the code of %i steps from now', async (steps) => {
    expect((await login(code(steps))).status).toBe(200)
  })

  test.each([-2, 2, -150, 150])('rejects the code of %i steps from now', async (steps) => {
    expect(await login(code(steps))).toMatchObject(wrong)
  })

  test('rejects a step before one that was used', async () => {
    expect((await login(code(1))).status).toBe(200)
    expect(await login(code(0))).toMatchObject(wrong)
  })

  test('counts wrong codes like wrong passwords, a missing one not at all', async () => {
    for (let turn = 1; turn <= 10; turn++) expect(await login()).toMatchObject(missing)
    for (let guess = 1; guess <= 6; guess++) expect(await login('000000')).toMatchObject(wrong)
    expect((await login(code())).status).toBe(429)
    app().clock.advance(2)
    expect((await login(code())).status).toBe(200)
  })

  test('accepts any of its factors, but not an inactive one', async () => {
    const second = await makeTotp(app(), user)
    expect((await login(second())).status).toBe(200)
    await app()
      .database.db.updateTable('secondFactors')
      .set({ active: false })
      .where('userId', '=', user.id)
      .execute()
    expect((await login()).status).toBe(200)
  })

  test('has its secrets encrypted in the database', async () => {
    const rows = await app()
      .database.db.selectFrom('secondFactors')
      .select('secret')
      .where('userId', '=', user.id)
      .execute()
    for (const { secret } of rows) expect(secret.toString('latin1')).not.toMatch(/[A-Z2-7]{32}/)
  })
})
