import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../../testing/account-fixture.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { makePayer, type Payer, sandboxOf, settleNow, statusOf } from '../../testing/payments/sandbox.ts'
import { createTestApp, useTestApp } from '../../testing/test-app.ts'
import { setRates } from '../exchange/exchange-store.ts'
import { setVatRates } from '../vat/vat-store.ts'
import { ProviderUnavailable } from './providers/provider-errors.ts'

const app = useTestApp()
let payer: Payer

beforeAll(async () => {
  payer = await makePayer(app())
})

const withEuros = () =>
  setRates(app().database.db, {
    base: 'CHF',
    day: app().clock.now().toISOString().slice(0, 10),
    rates: new Map([['EUR', '1.0638']]),
  })

describe('an amount', () => {
  test.each(['1e9', '-5', '0x10', '1.234', 'ten', '1,000.00', '10.', 'Infinity', 'NaN', -1, 1.005, 1e21])(
    '%j is none',
    async (amount) => {
      const { status, body } = await payer.call('POST /api/v4/payments', { amount })
      expect(status).toBe(422)
      expect(body.errors).toEqual({ amount: 'Enter an amount such as 10 or 12.50.' })
    },
  )

  test.each([
    [0, /at least CHF\s1\.00/],
    ['0.99', /at least CHF\s1\.00/],
    ['10000.01', /more than CHF\s10.000\.00/],
    [1e9, /more than/],
  ])('%j is beyond the limits', async (amount, text) => {
    const { status, body } = await payer.call('POST /api/v4/payments', { amount })
    expect(status).toBe(422)
    expect(body.errors.amount).toMatch(text)
  })

  test.each([null, undefined, [], {}, true])('%j is missing or of the wrong type', async (amount) => {
    const { status, body } = await payer.call('POST /api/v4/payments', { amount })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['amount'])
  })

  test.each([
    [12.34, 1234],
    ['12,34', 1234],
    ['7', 700],
    [1, 100],
    ['10000', 1_000_000],
  ])('%j is %i cents', async (amount, cents) => {
    const someone = await makePayer(app())
    const { id } = await someone.pay(amount)
    const row = await app()
      .database.db.selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      status: 'open',
      type: 'oneoff',
      amount: cents,
      creditAmount: cents,
      currency: 'CHF',
      currencyAmount: cents,
      description: 'Gatehouse payment',
    })
  })

  test("is rejected in the caller's language", async () => {
    const { body } = await payer.call('POST /api/v4/payments', { amount: '0.50' }, 'de')
    expect(body.errors.amount).toMatch(/mindestens.*1,00/)
  })
})

describe('a payment', () => {
  test.each([
    [{ methodId: 'directdebit' }, 'methodId'],
    [{ methodId: 'cash' }, 'methodId'],
    [{ methodId: 'banktransfer' }, 'methodId'],
    [{ methodId: 'creditcard', currency: 'EUR' }, 'currency'],
    [{ currency: 'BTC' }, 'currency'],
    [{ currency: 7 }, 'currency'],
  ])('with %j has an error at its field', async (facts, field) => {
    const { status, body } = await payer.call('POST /api/v4/payments', { amount: 10, ...facts })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
  })

  test('reports all errors at once', async () => {
    const { body } = await payer.call('POST /api/v4/payments', { amount: 'x', methodId: 'banktransfer' })
    expect(Object.keys(body.errors).sort()).toEqual(['amount', 'methodId'])
  })

  test("redirects to the provider's page, in a new window if the method requires that", async () => {
    const someone = await makePayer(app())
    const card = await someone.call('POST /api/v4/payments', { amount: 10, currency: 'chf' })
    expect(card.body).toEqual({
      status: 'success',
      id: expect.any(String),
      redirectUrl: expect.stringMatching(/^http:\/\/localhost:8000\/sandbox\/pay\/\w{32}$/),
    })
    const coin = await someone.call('POST /api/v4/payments', { amount: 10, methodId: 'bitcoin' })
    expect(coin.body).toEqual({
      status: 'success',
      id: expect.any(String),
      newWindowUrl: expect.stringContaining('/sandbox/pay/'),
    })
  })

  test('sent twice with one key is created once', async () => {
    const someone = await makePayer(app())
    const { access_token: token } = await signInAs(app(), someone.user)
    const send = () =>
      app().call('POST /api/v4/payments', {
        token,
        body: { amount: 10 },
        headers: { 'idempotency-key': 'one-and-the-same' },
      })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect((await someone.call('GET /api/v4/payments/pending')).body.count).toBe(1)
  })

  test('is limited to owners and controllers, and to auto-payment in mandate mode', async () => {
    const account = await makeAccount(app())
    const body = { amount: 10 }
    expect((await account.as('controller', 'POST /api/v4/payments', body)).status).toBe(200)
    expect((await account.as('member', 'POST /api/v4/payments', body)).status).toBe(403)
    expect((await account.as('owner', 'GET /api/v4/payments/has-pending')).body.hasPending).toBe(true)
    for (const call of ['has-pending', 'pending', 'methods?type=oneoff', 'status']) {
      expect((await account.as('member', `GET /api/v4/payments/${call}`)).status).toBe(403)
    }
    await app()
      .database.db.updateTable('plans')
      .set({ mode: 'mandate' })
      .where('title', '=', 'group')
      .execute()
    try {
      const owner = await makeUser(app(), { plan: 'group' })
      const { access_token: token } = await signInAs(app(), owner)
      const refused = await app().call('POST /api/v4/payments', { token, body: { amount: 'x' } })
      expect(refused.status).toBe(403)
    } finally {
      await app()
        .database.db.updateTable('plans')
        .set({ mode: 'email' })
        .where('title', '=', 'group')
        .execute()
    }
  })

  test('returns to the reseller cockpit if it started there', async () => {
    const reseller = await makeUser(app(), { plan: null, role: 'reseller' })
    const { access_token: token } = await signInAs(app(), reseller)
    const host = 'reseller.localhost:8000'
    const { status, body } = await app().call('POST /api/v4/payments', { token, host, body: { amount: 5 } })
    expect(status).toBe(200)
    const row = await app()
      .database.db.selectFrom('sandboxPayments')
      .select('returnUrl')
      .where('paymentId', '=', body.id)
      .executeTakeFirst()
    expect(row?.returnUrl).toBe('http://reseller.localhost:8000/wallet')
  })

  test('is rate-limited', async () => {
    const someone = await makePayer(app())
    let status = 200
    for (let count = 0; count < 40 && status === 200; count++) {
      status = (await someone.call('POST /api/v4/payments', { amount: 10 })).status
    }
    expect(status).toBe(429)
  })
})

describe('methods', () => {
  test("are the provider's in the operator's order, with other currencies only if a rate exists", async () => {
    const { db } = app().database
    await db.deleteFrom('exchangeRates').execute()
    const read = async () => (await payer.call('GET /api/v4/payments/methods?type=oneoff')).body
    expect((await read()).map((method: { id: string }) => method.id)).toEqual([
      'creditcard',
      'paypal',
      'bitcoin',
    ])
    await withEuros()
    expect(await read()).toEqual([
      {
        id: 'creditcard',
        name: 'Credit card',
        minimumAmount: 100,
        currency: 'CHF',
        exchangeRate: 1,
        icon: { prefix: 'far', name: 'credit-card' },
      },
      expect.objectContaining({ id: 'paypal', currency: 'CHF' }),
      expect.objectContaining({ id: 'banktransfer', currency: 'EUR', exchangeRate: 1.0638 }),
      expect.not.objectContaining({ exchangeRate: expect.anything() }),
    ])
    app().clock.advance(8 * 24 * 3600)
    expect(await read()).toHaveLength(3)
    const recurring = await payer.call('GET /api/v4/payments/methods?type=recurring')
    expect(recurring.body.map((method: { id: string }) => method.id)).toEqual(['creditcard'])
  })

  test.each(['', '?type=', '?type=both', '?type[]=oneoff'])('of the type %j are none', async (query) => {
    expect((await payer.call(`GET /api/v4/payments/methods${query}`)).status).toBe(422)
  })

  test('are requested once an hour; during an outage the cached ones are used', async () => {
    const sandbox = sandboxOf(app())
    let asked = 0
    const count = (call: string) => {
      if (call === 'methods') asked++
    }
    sandbox.trouble = { before: count }
    app().clock.advance(3601)
    const read = () => payer.call('GET /api/v4/payments/methods?type=oneoff')
    await read()
    await read()
    expect(asked).toBe(2) // one per currency
    app().clock.advance(3601)
    sandbox.trouble = {
      before: () => {
        throw new ProviderUnavailable('sandbox', 'away')
      },
    }
    expect((await read()).body.length).toBeGreaterThan(0)
    sandbox.trouble = {}
  })

  test('of a provider that was never reached are a 503 with a retry time', async () => {
    await using other = await createTestApp()
    const someone = await makePayer(other)
    sandboxOf(other).trouble = {
      before: () => {
        throw new ProviderUnavailable('sandbox', 'away')
      },
    }
    const { status, headers, body } = await someone.call('GET /api/v4/payments/methods?type=oneoff')
    expect({ status, retry: headers['retry-after'] }).toEqual({ status: 503, retry: '60' })
    expect(body.message).toMatch(/Try again/)
  })

  test('are empty, and payments a 403, without a provider', async () => {
    await using other = await createTestApp({ PAYMENT_PROVIDER: undefined, NODE_ENV: 'production' })
    const someone = await makePayer(other)
    expect((await someone.call('GET /api/v4/payments/methods?type=oneoff')).body).toEqual([])
    const { status, body } = await someone.call('POST /api/v4/payments', { amount: 10 })
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'Payments aren’t available here.',
    })
    expect((await other.call('GET /sandbox/pay/x')).status).toBe(404)
    expect((await other.call('POST /api/webhooks/payment/sandbox')).status).toBe(404)
  })
})

describe('a bank transfer', () => {
  test('is in euros, exactly converted, and credits the requested amount', async () => {
    await withEuros()
    const someone = await makePayer(app())
    const { id, providerId } = await someone.pay('33.33', { methodId: 'banktransfer', currency: 'EUR' })
    const { db } = app().database
    const row = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    // 33.33 × 1.0638 = 35.456…
    expect(row).toMatchObject({ amount: 3333, creditAmount: 3333, currency: 'EUR', currencyAmount: 3546 })
    await sandboxOf(app()).decide(providerId, 'pending')
    await app().jobs.drain()
    expect(await statusOf(app(), id)).toBe('pending')
    expect(await balanceOf(app(), someone.walletId)).toBe(0)
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await balanceOf(app(), someone.walletId)).toBe(3333)
  })

  test('below its own minimum after conversion is rejected with the minimum', async () => {
    await setRates(app().database.db, {
      base: 'CHF',
      day: app().clock.now().toISOString().slice(0, 10),
      rates: new Map([['EUR', '0.9']]),
    })
    const input = { methodId: 'banktransfer', currency: 'EUR' }
    const { body } = await payer.call('POST /api/v4/payments', { amount: '1.10', ...input })
    expect(body.errors.amount).toMatch(/at least CHF\s1\.11/)
    expect((await payer.call('POST /api/v4/payments', { amount: '1.11', ...input })).status).toBe(200)
  })
})

describe('pending payments', () => {
  test('are listed newest first in pages, without calling the provider', async () => {
    const someone = await makePayer(app())
    const ids: string[] = []
    for (let count = 0; count < 12; count++) {
      ids.unshift((await someone.pay(10 + count)).id)
      app().clock.advance(1)
    }
    await app().jobs.drain()
    const sandbox = sandboxOf(app())
    sandbox.trouble = {
      before: () => {
        throw new ProviderUnavailable('sandbox', 'away')
      },
    }
    const first = await someone.call('GET /api/v4/payments/pending')
    const second = await someone.call('GET /api/v4/payments/pending?page=2')
    sandbox.trouble = {}
    expect(first.body).toMatchObject({ status: 'success', count: 10, hasMore: true, page: 1 })
    expect(second.body).toMatchObject({ count: 2, hasMore: false, page: 2 })
    const listed = [...first.body.list, ...second.body.list].map(({ id }: { id: string }) => id)
    expect(listed).toEqual(ids)
    expect(first.body.list[0]).toEqual({
      id: ids[0],
      createdAt: expect.any(String),
      type: 'oneoff',
      description: 'Gatehouse payment',
      amount: 2100,
      currency: 'CHF',
      status: 'open',
      isCancelable: true,
      checkoutUrl: expect.stringContaining('/sandbox/pay/'),
    })
    expect((await someone.call('GET /api/v4/payments/pending?page=9')).body.list).toEqual([])
    expect((await someone.call('GET /api/v4/payments/pending?page=x')).status).toBe(422)
  })

  test('can be cancelled once by those who may pay, and are hidden from others', async () => {
    const someone = await makePayer(app())
    const { id, providerId } = await someone.pay()
    const stranger = await makePayer(app())
    expect((await stranger.call(`DELETE /api/v4/payments/${id}`)).status).toBe(404)
    expect((await stranger.call('GET /api/v4/payments/pending')).body.list).toEqual([])
    for (const other of ['unknown', '%00', '%ED%A0%80', "'"]) {
      expect((await someone.call(`DELETE /api/v4/payments/${other}`)).status).toBeGreaterThanOrEqual(400)
      expect((await someone.call(`DELETE /api/v4/payments/${other}`)).status).toBeLessThan(500)
    }
    const done = await someone.call(`DELETE /api/v4/payments/${id}`)
    expect(done.body).toEqual({ status: 'success', message: 'The payment was cancelled.' })
    expect(await statusOf(app(), id)).toBe('canceled')
    expect((await someone.call(`DELETE /api/v4/payments/${id}`)).status).toBe(409)
    expect(await sandboxOf(app()).decide(providerId, 'paid')).toBe(false)
  })

  test('paid just before are credited instead of cancelled', async () => {
    const someone = await makePayer(app())
    const { id, providerId } = await someone.pay()
    await sandboxOf(app()).decide(providerId, 'paid')
    expect((await someone.call(`DELETE /api/v4/payments/${id}`)).status).toBe(409)
    await app().jobs.drain()
    expect(await balanceOf(app(), someone.walletId)).toBe(1000)
  })
})

describe('the status of the latest payment', () => {
  test('is a 404 without one, and is localised for the caller', async () => {
    const someone = await makePayer(app())
    expect((await someone.call('GET /api/v4/payments/status')).status).toBe(404)
    const { id, providerId } = await someone.pay()
    expect((await someone.call('GET /api/v4/payments/status')).body).toEqual({
      id,
      status: 'open',
      type: 'oneoff',
      description: 'Gatehouse payment',
      statusMessage: 'The payment is being processed. This may take a moment.',
      isLocked: false,
    })
    await sandboxOf(app()).decide(providerId, 'failed')
    await settleNow(app(), id)
    const { body } = await someone.call('GET /api/v4/payments/status', undefined, 'fr')
    expect(body).toMatchObject({ status: 'failed', statusMessage: 'Le paiement a échoué.' })
  })
})

describe('VAT added to the price', () => {
  test('is paid in addition to the credited amount', async () => {
    await using other = await createTestApp({ VAT_MODE: '1' })
    await setVatRates(other.database.db, '2026-01-01', new Map([['CH', 810]]))
    const someone = await makePayer(other)
    const { id, providerId } = await someone.pay(10)
    await sandboxOf(other).decide(providerId, 'paid')
    await other.jobs.drain()
    const row = await other.database.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ amount: 1081, creditAmount: 1000, currencyAmount: 1081, status: 'paid' })
    expect(row.vatRateId).not.toBeNull()
    expect(await balanceOf(other, someone.walletId)).toBe(1000)
  })
})
