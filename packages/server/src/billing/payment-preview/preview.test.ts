import type { PaymentPreview } from '@gatehouse/contract/billing/payments'
import { beforeAll, describe, expect, test } from 'vitest'
import { after, day, minute } from '../../platform/clock.ts'
import { makeAccount } from '../../testing/account-fixture.ts'
import { giveMoney } from '../../testing/factories.ts'
import { balanceOf, makeUnits } from '../../testing/payments/billing.ts'
import { beginMandate, chargesOf, checkWalletNow, makeMandate } from '../../testing/payments/mandates.ts'
import { makePayer, type Payer, sandboxOf } from '../../testing/payments/sandbox.ts'
import { type TestApp, useTestApp } from '../../testing/test-app.ts'
import { setRates } from '../exchange/exchange-store.ts'
import { setVatRates } from '../vat/vat-store.ts'

async function preview(payer: Payer, wish: Record<string, unknown>): Promise<PaymentPreview> {
  const { status, body } = await payer.call('POST /api/v4/payments/preview', wish)
  if (status !== 200) throw new Error(`no preview: ${JSON.stringify(body)}`)
  return body
}

const withEuros = (app: TestApp, rate = '1.0638') =>
  setRates(app.database.db, {
    base: 'CHF',
    day: app.clock.now().toISOString().slice(0, 10),
    rates: new Map([['EUR', rate]]),
  })

describe.each([
  ['is in the price', '0'],
  ['comes on top', '1'],
] as const)('where VAT %s', (_, VAT_MODE) => {
  const app = useTestApp({ VAT_MODE })

  beforeAll(async () => {
    await setVatRates(
      app().database.db,
      '2024-01-01',
      new Map([
        ['CH', 810],
        ['NO', 0],
      ]),
    )
    await withEuros(app())
  })

  describe.each([
    ['with VAT', 'CH'],
    ['at a rate of nothing', 'NO'],
    ['without VAT', 'LI'],
  ] as const)('a payer %s', (kind, country) => {
    test.each([
      ['creditcard', 'CHF', '1'],
      ['creditcard', 'CHF', '12,34'],
      ['creditcard', 'CHF', 999.99],
      ['banktransfer', 'EUR', '33.33'],
      ['banktransfer', 'EUR', '999.99'],
    ])('is charged by %s in %s for %s what the preview says', async (methodId, currency, amount) => {
      const payer = await makePayer(app(), { settings: { country } })
      await giveMoney(app(), payer.walletId, 500)
      const { charge, vat } = await preview(payer, { action: 'pay', amount, methodId })
      expect(vat?.rate).toBe(kind === 'with VAT' ? 810 : undefined)
      const { id, providerId } = await payer.pay(amount, { methodId })
      const row = await app()
        .database.db.selectFrom('payments')
        .select(['amount as gross', 'creditAmount as credit', 'currencyAmount as amount', 'currency'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(charge).toMatchObject({ ...row, currency })
      expect(charge && charge.net + charge.vat).toBe(row.gross)
      const asked = await sandboxOf(app()).readPayment(providerId)
      expect(asked).toMatchObject({ amount: charge?.amount, currency })
      await sandboxOf(app()).decide(providerId, 'paid')
      await app().jobs.drain()
      expect(await balanceOf(app(), payer.walletId)).toBe(charge?.balance)
    })
  })

  test('a top-up charges what its preview shows', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, 5000)
    const wish = { amount: 33.33, balance: 10 }
    const { charge, isAtOnce } = await preview(payer, { action: 'set-up', ...wish })
    expect(isAtOnce).toBe(false)
    await makeMandate(app(), payer, wish)
    await giveMoney(app(), payer.walletId, -4500)
    await checkWalletNow(app(), payer.walletId)
    expect(await chargesOf(app(), payer.walletId)).toMatchObject([{ status: 'paid', amount: charge?.gross }])
    expect(await balanceOf(app(), payer.walletId)).toBe(500 + (charge?.credit ?? 0))
  })

  test('a first payment with the set-up charges what its preview shows', async () => {
    const payer = await makePayer(app())
    const wish = { amount: 25, balance: 10 }
    const { charge, isAtOnce } = await preview(payer, { action: 'set-up', ...wish })
    expect(isAtOnce).toBe(true)
    const { providerId } = await beginMandate(app(), payer, wish)
    expect((await sandboxOf(app()).readPayment(providerId))?.amount).toBe(charge?.amount)
  })
})

describe('the preview', () => {
  const app = useTestApp()

  test.each([
    ['0.89', '1.12'],
    ['0.9', '1.11'],
    ['1.0638', '1.00'],
  ])('at a rate of %s tells the least that the payment takes', async (rate, least) => {
    await withEuros(app(), rate)
    const payer = await makePayer(app())
    const cents = Math.round(Number(least) * 100)
    const below = ((cents - 1) / 100).toFixed(2)
    const of = (amount: string) => preview(payer, { action: 'pay', amount, methodId: 'banktransfer' })
    expect(await of(least)).toMatchObject({ minimum: cents, charge: { credit: cents } })
    expect(await of(below)).toMatchObject({ minimum: cents, charge: null })
    const pay = (amount: string) => payer.call('POST /api/v4/payments', { amount, methodId: 'banktransfer' })
    expect([(await pay(below)).status, (await pay(least)).status]).toEqual([422, 200])
  })

  test.each([undefined, null, 'x', '0.99', '10000.01', -5])('has no charge for %j', async (amount) => {
    const payer = await makePayer(app())
    expect(await preview(payer, { action: 'pay', amount })).toMatchObject({ minimum: 100, charge: null })
  })

  test('of an unavailable method has an error at its field', async () => {
    const payer = await makePayer(app())
    const wish = { action: 'pay', amount: 10, methodId: 'directdebit' }
    const { status, body } = await payer.call('POST /api/v4/payments/preview', wish)
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['methodId'] })
  })

  test('stores nothing and does not call the provider', async () => {
    const payer = await makePayer(app())
    await preview(payer, { action: 'pay', amount: 10 })
    await preview(payer, { action: 'set-up', amount: 10, balance: 5 })
    expect((await payer.call('GET /api/v4/payments/has-pending')).body.hasPending).toBe(false)
    expect((await payer.call('GET /api/v4/payments/mandate')).body).not.toHaveProperty('id')
  })

  test('is limited to owners and controllers of the account', async () => {
    const account = await makeAccount(app())
    const wish = { action: 'pay', amount: 10 }
    const ask = async (who: 'owner' | 'controller' | 'member') =>
      (await account.as(who, 'POST /api/v4/payments/preview', wish)).status
    expect([await ask('owner'), await ask('controller'), await ask('member')]).toEqual([200, 200, 403])
  })

  test('of auto-payment requires at least the debt', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, -1234)
    const of = (amount: string) => preview(payer, { action: 'set-up', amount, balance: '0' })
    expect(await of('12.33')).toMatchObject({ minimum: 1234, charge: null, isAtOnce: false })
    expect(await of('12.34')).toMatchObject({ minimum: 1234, charge: { balance: 0 }, isAtOnce: true })
  })

  test('of a change shows whether saving it charges immediately, as it then does', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, 2000)
    await makeMandate(app(), payer, { amount: 20, balance: 10 })
    const change = async (wish: { amount: number; balance: number }) => {
      app().clock.advance(minute)
      const { isAtOnce } = await preview(payer, { action: 'change', ...wish })
      const before = (await chargesOf(app(), payer.walletId)).length
      await payer.call('PUT /api/v4/payments/mandate', wish)
      await app().jobs.drain()
      const isCharged = (await chargesOf(app(), payer.walletId)).length > before
      return { isAtOnce, isCharged }
    }
    expect(await change({ amount: 20, balance: 15 })).toEqual({ isAtOnce: false, isCharged: false })
    // at most three times a day on the owner's request
    for (const balance of [50, 80, 100]) {
      expect(await change({ amount: 20, balance })).toEqual({ isAtOnce: true, isCharged: true })
    }
    expect(await change({ amount: 20, balance: 120 })).toEqual({ isAtOnce: false, isCharged: false })
  })
})

describe('suggested amounts', () => {
  const app = useTestApp()

  /** A customer who pays 10.00 per month and whose last period ended the given number of days ago. */
  async function subscriber(days: number): Promise<Payer> {
    const payer = await makePayer(app())
    const billedUntil = after(app().clock.now(), -days * day)
    await makeUnits(app(), payer.walletId, [
      { cost: 1000, createdAt: after(billedUntil, -90 * day), billedUntil },
    ])
    return payer
  }
  const suggested = async (payer: Payer) =>
    (await preview(payer, { action: 'pay' })).suggestions.map(({ kind, amount }) => [kind, amount])
  const owed = async (payer: Payer) =>
    (await payer.call(`GET /api/v4/wallets/${payer.walletId}/forecast`)).body.owed

  test('are the next charge and three months of charges', async () => {
    const payer = await subscriber(1)
    await giveMoney(app(), payer.walletId, 100)
    expect(await suggested(payer)).toEqual([
      ['next', 1000],
      ['months', 3000],
    ])
    expect(await owed(payer)).toBe(0)
  })

  test('start with the debt, which is included in the others', async () => {
    const payer = await subscriber(1)
    await giveMoney(app(), payer.walletId, -1230)
    expect(await suggested(payer)).toEqual([
      ['owed', 1230],
      ['next', 2230],
      ['months', 4230],
    ])
    expect(await owed(payer)).toBe(1230)
  })

  test('include charges already due in the debt, once', async () => {
    const payer = await subscriber(35)
    await giveMoney(app(), payer.walletId, 400)
    expect(await suggested(payer)).toEqual([
      ['owed', 600],
      ['next', 1600],
      ['months', 3600],
    ])
    expect(await owed(payer)).toBe(600)
  })

  test("are never below the method's minimum", async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, -50)
    expect(await suggested(payer)).toEqual([])
    expect(await owed(payer)).toBe(50)
  })
})
