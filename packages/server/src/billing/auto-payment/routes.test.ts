import { formatPrice } from '@gatehouse/contract/billing/price'
import { describe, expect, test } from 'vitest'
import { minute } from '../../platform/clock.ts'
import {
  giveMoney,
  makeController,
  makeDiscount,
  makeTenant,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { beginMandate, makeMandate } from '../../testing/payments/mandates.ts'
import { makePayer, sandboxOf, statusOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { setDiscount } from '../discounts/set-discount.ts'
import { ProviderUnavailable } from '../payments/providers/provider-errors.ts'

const app = useTestApp()
const route = '/api/v4/payments/mandate'
const price = (cents: number) => formatPrice(cents, 'CHF', 'en')

/** Simulates a provider outage while `act` runs. */
async function duringOutage<T>(act: () => Promise<T>): Promise<T> {
  const sandbox = sandboxOf(app())
  sandbox.trouble = {
    before: (call) => {
      throw new ProviderUnavailable('sandbox', `${call}: no answer`)
    },
  }
  try {
    return await act()
  } finally {
    sandbox.trouble = {}
  }
}

describe('auto-payment of a wallet', () => {
  test('without any shows the possible values', async () => {
    const payer = await makePayer(app())
    expect((await payer.call(`GET ${route}`)).body).toEqual({
      isValid: false,
      isDisabled: false,
      amount: 1,
      minAmount: 1,
      balance: 0,
      currency: 'CHF',
    })
  })

  test('requires a whole period of the plan, after the discount', async () => {
    const payer = await makePayer(app(), { plan: 'individual' })
    const full = (await payer.call(`GET ${route}`)).body.minAmount as number
    expect(full).toBeGreaterThan(1)
    const discountId = await makeDiscount(app(), { discount: 30 })
    const { db } = app().database
    await db
      .transaction()
      .execute((trx) =>
        setDiscount(trx, app().clock, { walletId: payer.walletId, discountId }, { actor: {} }),
      )
    expect((await payer.call(`GET ${route}`)).body.minAmount).toBe(Math.floor(full * 70) / 100)
  })

  test('requires the debt if that is more', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, -4321)
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ amount: 43.21, minAmount: 43.21 })
    const { status, body } = await payer.call(`POST ${route}`, { amount: 43.2, balance: 0 })
    expect([status, body.errors]).toEqual([
      422,
      { amount: `The amount must be at least ${price(4321)} to cover the debt.` },
    ])
  })

  test('is shown with its card once it is set up', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, 5000)
    const id = await makeMandate(app(), payer, { amount: 20, balance: 12.5 })
    expect((await payer.call(`GET ${route}`)).body).toEqual({
      id,
      method: 'Visa •••• 4242',
      methodId: 'creditcard',
      isPending: false,
      isValid: true,
      isDisabled: false,
      amount: 20,
      minAmount: 1,
      balance: 12.5,
      currency: 'CHF',
    })
  })

  test('is pending while the customer is at the provider', async () => {
    const payer = await makePayer(app())
    const { id } = await beginMandate(app(), payer, { amount: 20, balance: 0 })
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({
      id,
      methodId: 'creditcard',
      isPending: true,
      isValid: false,
      isDisabled: false,
      amount: 20,
    })
  })

  test('is shown during a provider outage, and refreshed afterwards in the background', async () => {
    const payer = await makePayer(app())
    const id = await makeMandate(app(), payer, { balance: 0 })
    await sandboxOf(app()).revokeMandate(id)
    app().clock.advance(11 * minute)
    const shown = await duringOutage(() => payer.call(`GET ${route}`))
    expect([shown.status, shown.body]).toMatchObject([200, { id, isValid: true }])
    await app().jobs.drain()
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ id, isValid: false, isDisabled: true })
  })

  test('is read without calling the provider while its status is fresh', async () => {
    const payer = await makePayer(app())
    await makeMandate(app(), payer, { balance: 0 })
    const calls: string[] = []
    sandboxOf(app()).trouble = { before: (call) => calls.push(call) }
    await payer.call(`GET ${route}`)
    await app().jobs.drain()
    sandboxOf(app()).trouble = {}
    expect(calls).toEqual([])
  })
})

describe('setting auto-payment up', () => {
  test('redirects the customer, and requires no payment if the balance is sufficient', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, 1000)
    const { status, body } = await payer.call(`POST ${route}`, { amount: '20,50', balance: '10' })
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      id: expect.any(String),
      redirectUrl: expect.stringContaining('/sandbox/pay/'),
    })
    const row = await app()
      .database.db.selectFrom('payments')
      .select(['type', 'amount', 'status', 'description', 'method'])
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      type: 'mandate',
      amount: 0,
      status: 'open',
      description: 'Gatehouse Auto-Payment Setup',
      method: 'creditcard',
    })
  })

  test('requires a first payment if the balance is below the threshold', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, 999)
    const { id, providerId } = await beginMandate(app(), payer, { amount: 20, balance: 10 })
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await statusOf(app(), id)).toBe('paid')
    expect(await balanceOf(app(), payer.walletId)).toBe(2999)
  })

  const big = '10000.01'
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['no amount', { balance: 0 }, { amount: ['Fill in this field.'] }],
    ['no threshold', { amount: 10 }, { balance: ['Fill in this field.'] }],
    ['neither', {}, { amount: expect.anything(), balance: expect.anything() }],
    ['a list', { amount: [10], balance: 0 }, { amount: expect.anything() }],
    ['a truth', { amount: true, balance: 0 }, { amount: expect.anything() }],
    ['words', { amount: 'ten', balance: 0 }, { amount: 'Enter an amount such as 20 or 12.50.' }],
    ['an exponent', { amount: '1e3', balance: 0 }, { amount: expect.any(String) }],
    ['a sign', { amount: '-20', balance: 0 }, { amount: expect.any(String) }],
    ['a negative number', { amount: -20, balance: 0 }, { amount: expect.any(String) }],
    ['a fraction of a cent', { amount: 20.001, balance: 0 }, { amount: expect.any(String) }],
    [
      'too little',
      { amount: 0.99, balance: 0 },
      { amount: expect.stringContaining(`at least ${price(100)}`) },
    ],
    [
      'too much',
      { amount: big, balance: 0 },
      { amount: `The amount can’t be more than ${price(1_000_000)}.` },
    ],
    ['a billion', { amount: 1e9, balance: 0 }, { amount: expect.any(String) }],
    ['more than numbers hold', { amount: 1e300, balance: 0 }, { amount: expect.any(String) }],
    ['a negative threshold', { amount: 20, balance: -1 }, { balance: expect.any(String) }],
    ['too high a threshold', { amount: 20, balance: big }, { balance: expect.any(String) }],
    ['both wrong', { amount: 0, balance: -1 }, { amount: expect.any(String), balance: expect.any(String) }],
    ['an unknown method', { amount: 20, balance: 0, methodId: 'cash' }, { methodId: expect.anything() }],
    [
      'a method for single payments',
      { amount: 20, balance: 0, methodId: 'bitcoin' },
      { methodId: expect.anything() },
    ],
  ])('with %s is refused', async (_what, input, errors) => {
    const payer = await makePayer(app())
    const { status, body } = await payer.call(`POST ${route}`, input)
    expect([status, body.errors]).toEqual([422, errors])
    const { body: shown } = await payer.call(`GET ${route}`)
    expect(shown).not.toHaveProperty('id')
  })

  test('may exceed the maximum amount if the debt does', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, -1_000_100)
    expect((await payer.call(`POST ${route}`, { amount: 10_001, balance: 0 })).status).toBe(200)
    const more = await payer.call(`POST ${route}`, { amount: 10_002, balance: 0 })
    expect([more.status, Object.keys(more.body.errors)]).toEqual([422, ['amount']])
  })

  test('reports a provider outage and leaves the current state unchanged', async () => {
    const payer = await makePayer(app())
    const id = await makeMandate(app(), payer, { amount: 20, balance: 0 })
    const answer = await duringOutage(() => payer.call(`POST ${route}`, { amount: 50, balance: 0 }))
    expect(answer.status).toBe(503)
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ id, isValid: true, amount: 20 })
  })

  test('is rate-limited', async () => {
    const payer = await makePayer(app())
    const statuses: number[] = []
    for (let times = 0; times < 25; times++) {
      statuses.push((await payer.call(`POST ${route}`, { amount: 20, balance: 0 })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  test('is available to controllers of the account, but not to its other members', async () => {
    const payer = await makePayer(app())
    const controller = await makeUser(app(), { walletId: payer.walletId })
    await makeController(app(), controller, payer.walletId)
    const member = await makeUser(app(), { walletId: payer.walletId })
    const as = async (user: typeof member) => {
      const { access_token: token } = await signInAs(app(), user)
      return (verb: string, body?: unknown) => app().call(`${verb} ${route}`, { token, body })
    }
    const call = await as(controller)
    expect((await call('POST', { amount: 20, balance: 0 })).status).toBe(200)
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ isPending: true, amount: 20 })
    const forbidden = await as(member)
    for (const verb of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect((await forbidden(verb, verb === 'GET' ? undefined : {})).status).toBe(403)
    }
    expect((await app().call(`GET ${route}`)).status).toBe(401)
  })

  test("in another tenant uses that tenant's wallet", async () => {
    const tenantId = await makeTenant(app(), 17)
    const stranger = await makePayer(app(), { tenantId })
    const payer = await makePayer(app())
    await makeMandate(app(), payer, { balance: 0 })
    expect((await stranger.call(`GET ${route}`)).body).not.toHaveProperty('id')
    expect((await stranger.call(`DELETE ${route}`)).status).toBe(404)
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ isValid: true })
  })
})

describe('changing auto-payment', () => {
  test('without any is a 404, before input is validated', async () => {
    const payer = await makePayer(app())
    expect((await payer.call(`PUT ${route}`, {})).status).toBe(404)
    expect((await payer.call(`DELETE ${route}`)).status).toBe(404)
  })

  test("changes the amounts and confirms it in the caller's language", async () => {
    const payer = await makePayer(app())
    const id = await makeMandate(app(), payer, { balance: 0 })
    const { status, body } = await payer.call(`PUT ${route}`, { amount: '33.30', balance: 0 }, 'de')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'success',
      message: 'Die automatische Zahlung wurde geändert.',
      id,
      amount: 33.3,
      isValid: true,
    })
    const events = await app()
      .database.db.selectFrom('eventLog')
      .select(['event', 'actorEmail', 'data'])
      .where('objectId', '=', payer.user.id)
      .where('event', '=', 'wallet.mandate-changed')
      .execute()
    expect(events).toEqual([
      {
        event: 'wallet.mandate-changed',
        actorEmail: payer.user.email,
        data: { before: { amount: 2000, threshold: 0 }, after: { amount: 3330, threshold: 0 } },
      },
    ])
  })

  test('during set-up applies once that succeeds', async () => {
    const payer = await makePayer(app())
    const { providerId } = await beginMandate(app(), payer, { amount: 20, balance: 0 })
    expect((await payer.call(`PUT ${route}`, { amount: 30, balance: 0 })).status).toBe(200)
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ isValid: true, amount: 30 })
  })

  test.each([
    [{ amount: 0.5, balance: 0 }, ['amount']],
    [{ amount: 20, balance: 'x' }, ['balance']],
    [{}, ['amount', 'balance']],
  ])('to %j is refused', async (input, fields) => {
    const payer = await makePayer(app())
    await makeMandate(app(), payer, { balance: 0 })
    const { status, body } = await payer.call(`PUT ${route}`, input)
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, fields])
  })
})

describe('ending auto-payment', () => {
  test('removes the mandate and keeps the amounts', async () => {
    const payer = await makePayer(app())
    const id = await makeMandate(app(), payer, { amount: 25, balance: 0 })
    const { status, body } = await payer.call(`DELETE ${route}`)
    expect([status, body]).toEqual([200, { status: 'success', message: 'Auto-payment has been cancelled.' }])
    await app().jobs.drain()
    expect(await sandboxOf(app()).readMandate(id)).toBeUndefined()
    const shown = (await payer.call(`GET ${route}`)).body
    expect(shown).toMatchObject({ isValid: false, amount: 25, balance: 0 })
    expect(shown).not.toHaveProperty('id')
    expect((await payer.call(`DELETE ${route}`)).status).toBe(404)
  })
})

describe('retrying the set-up', () => {
  const reset = `${route}/reset`

  test('keeps the amounts, charges no first payment, and returns to the status page', async () => {
    const payer = await makePayer(app())
    const first = await beginMandate(app(), payer, { amount: 42, balance: 5 })
    await sandboxOf(app()).decide(first.providerId, 'failed')
    await app().jobs.drain()
    const { status, body } = await payer.call(`POST ${reset}`, {})
    expect(status).toBe(200)
    const made = await app()
      .database.db.selectFrom('sandboxPayments')
      .select(['id', 'amount', 'returnUrl'])
      .where('paymentId', '=', body.id as string)
      .executeTakeFirstOrThrow()
    expect(made).toMatchObject({ amount: 0, returnUrl: 'http://localhost:8000/payment/status' })
    await sandboxOf(app()).decide(made.id, 'paid')
    await app().jobs.drain()
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ isValid: true, amount: 42, balance: 5 })
  })

  test("with a method that can't be charged later is rejected", async () => {
    const payer = await makePayer(app())
    const { status, body } = await payer.call(`POST ${reset}`, { methodId: 'banktransfer' })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['methodId']])
  })

  test('is not available to resellers', async () => {
    const payer = await makePayer(app())
    const { access_token: token } = await signInAs(app(), payer.user)
    const host = 'reseller.localhost:8000'
    expect((await app().call(`POST ${reset}`, { token, host, body: {} })).status).toBe(404)
  })
})
