import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NewAccountMandate, NewAccountMandates } from '../billing/auto-payment/new-account-mandate.ts'
import { PaymentRefused, ProviderUnavailable } from '../billing/payments/providers/provider-errors.ts'
import { makeDiscount, makeDomain } from '../testing/factories.ts'
import { apply, countRows } from '../testing/signup/sign-up.ts'
import { bareStep, makePlan, makeProgram } from '../testing/signup/signup-ways.ts'
import { useTestApp } from '../testing/test-app.ts'

const prepared: NewAccountMandate[] = []
let failure: Error | undefined
let begun = 0

/** A fake provider that tests can take offline. */
const mandates: NewAccountMandates = {
  isOffered: true,
  async prepareMandate(_trx, mandate) {
    prepared.push(mandate)
  },
  async beginMandate() {
    begun++
    if (failure !== undefined) throw failure
    return { status: 'success', id: 'payment-1', redirectUrl: 'https://pay.test/1' }
  },
}

const app = useTestApp({}, undefined, { mandates })

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  await makePlan(app(), { title: 'phone', mode: 'mandate' })
  await makePlan(app(), { title: 'yearly', mode: 'mandate', months: 12, like: 'group' })
  await makeDiscount(app(), { code: 'FREE', discount: 100 })
  await makeDiscount(app(), { code: 'TEN', discount: 10 })
  await makeDiscount(app(), { code: 'NEARLY', discount: 99 })
  await app()
    .database.db.insertInto('vatRates')
    .values({ id: '0190b0a0-0000-7000-8000-000000000001', country: 'US', startsOn: '2020-01-01', rate: 810 })
    .execute()
})

beforeEach(() => {
  prepared.length = 0
  failure = undefined
  begun = 0
})

let caller = 0
const call = (step: string, body: object, language = 'en') =>
  app().call(`POST /api/auth/signup${step}`, {
    body,
    // addresses of one country
    ip: `8.8.8.${++caller}`,
    headers: { 'accept-language': language },
  })

describe('a plan in mandate mode', () => {
  test('is offered like the others', async () => {
    const { body } = await app().call('GET /api/auth/signup/plans')
    expect(body.plans.map((plan: { title: string }) => plan.title)).toEqual([
      'phone',
      'individual',
      'group',
      'yearly',
    ])
    expect(body.plans).toContainEqual(
      expect.objectContaining({ title: 'yearly', mode: 'mandate', cost: 11_880, months: 12 }),
    )
  })

  test('first shows what it costs, and creates nothing', async () => {
    const before = await countRows(app())
    const { status, body } = await call('/validate', bareStep('looks', { plan: 'phone', voucher: 'ten' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'success', title: 'Your subscription “Phone”', cost: 891 })
    expect(body.summary).toContain('voucher TEN')
    expect(body.summary).toContain('of which VAT 8.1%')
    expect(await countRows(app())).toEqual(before)
    expect({ prepared, begun }).toEqual({ prepared: [], begun: 0 })
  })

  test('creates an account that is locked until paid, and redirects to the provider', async () => {
    const { status, body } = await call('', bareStep('payer', { plan: 'phone' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      email: 'payer@example.test',
      isLocked: true,
      isRestricted: true,
      isActive: false,
      redirect: 'payment-status',
      checkout: {
        title: 'Your subscription “Phone”',
        cost: 990,
        id: 'payment-1',
        redirectUrl: 'https://pay.test/1',
      },
    })
    expect(body.settings.external_email ?? null).toBeNull()
    expect(prepared).toEqual([{ walletId: body.wallet.id, amount: 990, balance: 0 }])
    await app().jobs.drain()
    const info = await app().call('GET /api/auth/info', { token: body.access_token })
    expect(info.body).toMatchObject({ isLocked: true, isActive: false, isImapReady: true })
  })

  test('tops up the discounted price of a period, but at least one franc', async () => {
    await call('', bareStep('boss', { plan: 'yearly', domain: 'yearly-one.test', voucher: 'ten' }))
    await call('', bareStep('cheap', { plan: 'phone', voucher: 'nearly' }))
    expect(prepared.map(({ amount }) => amount)).toEqual([10_692, 100])
  })

  test('is free with a voucher of 100 %: nothing is set up or locked', async () => {
    const step = bareStep('free', { plan: 'phone', voucher: 'free' })
    const shown = (await call('/validate', step)).body
    expect(shown).toEqual({ status: 'success', content: expect.any(String), cost: 0 })
    const { body } = await call('', step)
    expect(body).toMatchObject({ isLocked: false, isRestricted: false, isActive: true })
    expect(body.checkout).toEqual({ content: shown.content, cost: 0 })
    expect(body.redirect).toBeUndefined()
    expect({ prepared, begun }).toEqual({ prepared: [], begun: 0 })
  })

  test('applies a referral discount', async () => {
    const discountId = await makeDiscount(app(), { discount: 50 })
    const programId = await makeProgram(app(), { discountId })
    const { body: owner } = await call('', bareStep('friend', { plan: 'phone', voucher: 'free' }))
    const code = 'ABCDEFGH'
    await app()
      .database.db.insertInto('referralCodes')
      .values({ code, userId: owner.id, programId, createdAt: app().clock.now() })
      .execute()
    const { body } = await call('', bareStep('referred', { plan: 'phone', referral: code }))
    expect(body.checkout.cost).toBe(495)
    expect(prepared.at(-1)?.amount).toBe(495)
  })

  test('also accepts the proof of an address', async () => {
    const { code, short_code, email } = await apply(app(), { plan: 'phone' })
    const { body } = await call('', bareStep('proved', { code, short_code }))
    expect(body).toMatchObject({ isLocked: true, settings: { external_email: email } })
    expect(body.checkout.redirectUrl).toBe('https://pay.test/1')
  })

  test('uses the language of the request', async () => {
    const { body } = await call('/validate', bareStep('german', { plan: 'phone' }), 'de')
    expect(body.title).toBe('Ihr Abonnement „Phone“')
  })

  test('reports invalid fields before it shows a price', async () => {
    const { status, body } = await call('/validate', { plan: 'phone' })
    expect({ status, fields: Object.keys(body.errors).sort() }).toEqual({
      status: 422,
      fields: ['domain', 'login', 'password'],
    })
  })
})

describe('while the provider', () => {
  test.each([
    ['is away', new ProviderUnavailable('sandbox', 'no answer')],
    ['refuses', new PaymentRefused('method', 'no such method')],
    ['answers with nonsense', new TypeError('id of undefined')],
  ])(
    '%s, the account is still created, exactly once, and continues on the payment page',
    async (name, error) => {
      failure = error
      const login = name.replaceAll(' ', '-')
      const before = (await countRows(app())).users ?? 0
      const { status, body } = await call('', bareStep(login, { plan: 'phone' }))
      expect(status).toBe(200)
      expect(body).toMatchObject({ isLocked: true, redirect: 'payment-status', checkout: { cost: 990 } })
      expect(body.checkout.redirectUrl).toBeUndefined()
      expect(prepared).toHaveLength(1)
      const again = await call('', bareStep(login, { plan: 'phone' }))
      expect(again).toMatchObject({ status: 422, body: { errors: { login: expect.any(String) } } })
      expect(((await countRows(app())).users ?? 0) - before).toBe(1)
    },
  )
})

test('a request repeated with its Idempotency-Key creates one account and one mandate', async () => {
  const body = bareStep('twice', { plan: 'phone' })
  const once = () =>
    app().call('POST /api/auth/signup', { body, headers: { 'idempotency-key': 'mandate-twice' } })
  const [first, second] = [await once(), await once()]
  expect(second.body).toEqual(first.body)
  expect({ prepared: prepared.length, begun }).toEqual({ prepared: 1, begun: 1 })
})
