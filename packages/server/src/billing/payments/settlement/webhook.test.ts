import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../../platform/ids.ts'
import { balanceOf } from '../../../testing/payments/billing.ts'
import {
  type BegunPayment,
  makePayer,
  type Payer,
  sandboxOf,
  statusOf,
} from '../../../testing/payments/sandbox.ts'
import { createTestApp, type TestApp, useTestApp } from '../../../testing/test-app.ts'
import { ProviderUnavailable } from '../providers/provider-errors.ts'
import { signatureHeader, signMessage } from '../sandbox/sandbox-message.ts'
import { reconcileJob } from './reconcile.ts'

const app = useTestApp()
let payer: Payer
let payment: BegunPayment

beforeEach(async () => {
  payer = await makePayer(app())
  payment = await payer.pay(10)
  await app().jobs.drain()
})

afterEach(() => {
  sandboxOf(app()).trouble = {}
  sandboxOf(app()).mailman = (_id, deliver) => deliver()
})

const sandbox = () => sandboxOf(app())
const balance = () => balanceOf(app(), payer.walletId)
const endpoint = 'POST /api/webhooks/payment/sandbox'

function message(id: string, key = sandbox().key) {
  const { body, signature } = signMessage(key, app().clock, id)
  return { body, headers: { 'content-type': 'application/json', [signatureHeader]: signature } }
}

const isAway = () => {
  throw new ProviderUnavailable('sandbox', 'away')
}

/** Advances the clock and runs due jobs, as a running server does. */
async function pass(on: TestApp, minutes: number): Promise<void> {
  on.clock.advance(minutes * 60)
  await on.jobs.enqueue(on.database.db, reconcileJob, {})
  await on.jobs.drain()
}

describe("a provider's webhook", () => {
  test('gets a short response and enqueues a check of the payment', async () => {
    sandbox().mailman = async () => {}
    await sandbox().decide(payment.providerId, 'paid')
    const { status, body, headers } = await app().call(endpoint, message(payment.providerId))
    expect({ status, body }).toEqual({ status: 200, body: 'Success' })
    expect(headers['content-type']).toMatch(/^text\/plain/)
    // so far it is only stored
    expect(await balance()).toBe(0)
    await app().jobs.drain()
    expect(await balance()).toBe(1000)
  })

  test("isn't proof of payment: only the provider's API counts", async () => {
    await app().call(endpoint, message(payment.providerId))
    await app().jobs.drain()
    expect(await statusOf(app(), payment.id)).toBe('open')
  })

  test.each([
    ['no signature', () => ({ body: '{}', headers: { 'content-type': 'application/json' } })],
    ['nothing at all', () => ({})],
    ['another key', () => message('x', Buffer.alloc(32, 1))],
    ['a changed body', () => ({ ...message('x'), body: '{"id":"y"}' })],
    ['half a signature', () => ({ ...message('x'), headers: { [signatureHeader]: 't=1,v1=00' } })],
  ] as const)('with %s is a 400', async (_name, make) => {
    const { status } = await app().call(endpoint, make())
    expect(status).toBe(400)
  })

  test('that is too old is a 400', async () => {
    const old = message(payment.providerId)
    app().clock.advance(301)
    expect((await app().call(endpoint, old)).status).toBe(400)
  })

  test('with many invalid signatures is rate-limited', async () => {
    const forged = { ...message('x', Buffer.alloc(32, 1)), ip: '203.0.113.9' }
    let status = 0
    for (let count = 0; count < 60 && status !== 429; count++)
      status = (await app().call(endpoint, forged)).status
    expect(status).toBe(429)
    expect((await app().call(endpoint, message(payment.providerId))).status).toBe(200)
  })

  test.each(['nobody', 'stripe', '__proto__', '%00'])('of %s is a 404', async (provider) => {
    expect((await app().call(`POST /api/webhooks/payment/${provider}`, { body: 'id=1' })).status).toBe(404)
  })

  test('that is too large is a 413', async () => {
    const { status } = await app().call(endpoint, { ...message('x'), body: 'x'.repeat(300_000) })
    expect(status).toBe(413)
  })

  test('about an unknown payment is accepted and changes nothing', async () => {
    for (const id of ['sbx_unknown', 'sbx_\0', 'é']) {
      expect((await app().call(endpoint, message(id))).status).toBe(200)
    }
    await app().jobs.drain()
    expect((await app().jobs.failed()).filter(({ name }) => name === 'payment:message')).toEqual([])
  })

  test("about money for a payment that isn't in our books raises an alarm", async () => {
    const id = `sbx_${newUuid()}`
    await app()
      .database.db.insertInto('sandboxPayments')
      .values({
        id,
        paymentId: newUuid(),
        tokenHash: Buffer.from(id),
        kind: 'payment',
        method: 'creditcard',
        status: 'paid',
        amount: 5000,
        currency: 'CHF',
        description: 'x',
        payer: 'x',
        returnUrl: 'http://localhost:8000/wallet',
        language: 'en',
        mandateId: null,
        methodText: null,
        createdAt: app().clock.now(),
        paidAt: app().clock.now(),
      })
      .execute()
    await sandbox().chargeBack(id, 5000)
    await app().jobs.drain()
    const alarm = await app()
      .database.db.selectFrom('paymentAlarms')
      .selectAll()
      .where('providerId', '=', id)
      .executeTakeFirst()
    expect(alarm).toMatchObject({ kind: 'unknown-payment', facts: { amount: 5000, status: 'paid' } })
  })

  test('may arrive twice, and in any order', async () => {
    const held: (() => Promise<void>)[] = []
    sandbox().mailman = async (_id, deliver) => {
      held.push(deliver, deliver)
    }
    await sandbox().decide(payment.providerId, 'pending')
    await app().jobs.drain()
    await sandbox().decide(payment.providerId, 'paid')
    await app().jobs.drain()
    await sandbox().chargeBack(payment.providerId, 400)
    await app().jobs.drain()
    expect(held).toHaveLength(6)
    for (const deliver of held.reverse()) await deliver()
    await app().jobs.drain()
    expect(await balance()).toBe(600)
  })
})

describe('recovery from losses', () => {
  test('finds a payment by a check after a lost webhook', async () => {
    sandbox().mailman = async () => {}
    await sandbox().decide(payment.providerId, 'paid')
    await app().jobs.drain()
    expect(await balance()).toBe(0)
    await pass(app(), 3)
    expect(await balance()).toBe(1000)
  })

  test('finds a refund days after a lost webhook', async () => {
    await sandbox().decide(payment.providerId, 'paid')
    await app().jobs.drain()
    sandbox().mailman = async () => {}
    await sandbox().refund(payment.providerId, 1000, newUuid())
    await app().jobs.drain()
    await pass(app(), 25 * 60)
    expect(await balance()).toBe(0)
  })

  test('finds a payment after a lost response, with everything that followed', async () => {
    sandbox().trouble = { after: (call) => call === 'startPayment' && isAway() }
    const { status, body } = await payer.call('POST /api/v4/payments', { amount: 25 })
    sandbox().trouble = {}
    expect({ status, message: body.message }).toEqual({
      status: 503,
      message: 'Payments aren’t available right now. Try again in a few minutes.',
    })
    const { db } = app().database
    const row = await db
      .selectFrom('payments')
      .select(['id', 'providerId'])
      .where('walletId', '=', payer.walletId)
      .where('amount', '=', 2500)
      .executeTakeFirstOrThrow()
    expect(row.providerId).toBeNull()
    const there = await db
      .selectFrom('sandboxPayments')
      .select('id')
      .where('paymentId', '=', row.id)
      .executeTakeFirstOrThrow()
    await sandbox().decide(there.id, 'paid')
    await app().jobs.drain()
    expect(await statusOf(app(), row.id)).toBe('paid')
    expect(await balance()).toBe(2500)
  })

  test('ends a payment that never arrived after an hour, without notifying the customer', async () => {
    sandbox().trouble = { before: (call) => call === 'startPayment' && isAway() }
    await payer.call('POST /api/v4/payments', { amount: 25 })
    sandbox().trouble = {}
    expect((await payer.call('GET /api/v4/payments/pending')).body.count).toBe(1)
    const { id } = await app()
      .database.db.selectFrom('payments')
      .select('id')
      .where('walletId', '=', payer.walletId)
      .where('providerId', 'is', null)
      .executeTakeFirstOrThrow()
    await pass(app(), 30)
    expect(await statusOf(app(), id)).toBe('open')
    for (let hour = 0; hour < 4; hour++) await pass(app(), 60)
    expect(await statusOf(app(), id)).toBe('canceled')
  })

  test('retries during a provider outage with increasing intervals, and finally succeeds', async () => {
    await using other = await createTestApp()
    const someone = await makePayer(other)
    const { providerId } = await someone.pay(10)
    await other.jobs.drain()
    const away = sandboxOf(other)
    away.mailman = async () => {}
    await away.decide(providerId, 'paid')
    let asked = 0
    away.trouble = {
      before: () => {
        asked++
        isAway()
      },
    }
    await pass(other, 3)
    await pass(other, 1)
    expect(asked).toBe(1)
    for (let count = 0; count < 48; count++) await pass(other, 15)
    expect(asked).toBeLessThan(10)
    away.trouble = {}
    await pass(other, 6 * 60)
    expect(await balanceOf(other, someone.walletId)).toBe(1000)
  })

  test("finds a payment if the process crashed before it stored the provider's response", async () => {
    await using other = await createTestApp()
    const someone = await makePayer(other)
    const { id, providerId } = await someone.pay(10)
    await other.database.db
      .updateTable('payments')
      .set({ providerId: null, checkoutUrl: null })
      .where('id', '=', id)
      .execute()
    await sandboxOf(other).decide(providerId, 'paid')
    await pass(other, 3)
    expect(await balanceOf(other, someone.walletId)).toBe(1000)
  })
})

describe('payments in two tabs', () => {
  test('are both credited, once each', async () => {
    const [first, second] = await Promise.all([payer.pay(20), payer.pay(30)])
    await Promise.all([first, second].map(({ providerId }) => sandbox().decide(providerId, 'paid')))
    await app().jobs.drain()
    expect(await balance()).toBe(5000)
  })
})

test("payment metrics are part of the installation's metrics", async () => {
  const { body } = await app().call('GET /api/webhooks/metrics')
  expect(body).toMatch(/^gatehouse_payments\{status="open"\} \d+$/m)
  expect(body).toMatch(/^gatehouse_payments_overdue \d+$/m)
  expect(body).toMatch(/^gatehouse_payment_alarms 1$/m)
})
