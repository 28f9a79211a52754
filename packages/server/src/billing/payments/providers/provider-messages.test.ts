import { beforeEach, describe, expect, test } from 'vitest'
import { balanceOf } from '../../../testing/payments/billing.ts'
import { useProviderApp } from '../../../testing/payments/provider-app.ts'
import { type ProviderWorld, providerWorlds } from '../../../testing/payments/provider-worlds.ts'
import { makePayer, type Payer, statusOf } from '../../../testing/payments/sandbox.ts'
import type { TestApp } from '../../../testing/test-app.ts'
import type { WebhookMessage } from './provider.ts'

/** From the customer's click to the ledger, over each provider's HTTP API and our own webhook endpoint. */
describe.each(providerWorlds)('%s', (name, start) => {
  const portal = useProviderApp(start)
  let app: TestApp
  let world: ProviderWorld
  let payer: Payer

  beforeEach(async () => {
    ;({ app, world } = portal)
    payer = await makePayer(app)
    world.messages()
  })

  const { deliver, send, pass } = portal
  const balance = () => balanceOf(app, payer.walletId)
  const begin = (amount: number, facts?: Record<string, unknown>) => portal.begin(payer, amount, facts)

  test('a payment is credited by its webhook', async () => {
    const payment = await begin(12.5)
    expect(payment.url).toMatch(/^https:\/\/(checkout\.stripe|www\.mollie)\.com\//)
    world.pay(payment.providerId)
    const statuses = await deliver(...world.messages())
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await statusOf(app, payment.id)).toBe('paid')
    expect(await balance()).toBe(1250)
  })

  test('repeated, reordered and simultaneous webhooks credit it once', async () => {
    const payment = await begin(10)
    world.pay(payment.providerId)
    const messages = world.messages()
    await deliver(...messages.toReversed(), ...messages)
    await Promise.all([...messages, ...messages, ...messages].map(send))
    await app.jobs.drain()
    expect(await balance()).toBe(1000)
  })

  test('missing webhooks are compensated by checks', async () => {
    const payment = await begin(10)
    world.pay(payment.providerId)
    await pass(3)
    expect(await balance()).toBe(1000)
    await world.provider.refund(payment.providerId, 400, 'lost')
    await pass(25 * 60)
    expect(await balance()).toBe(600)
  })

  test('refunds and chargebacks are deducted from the wallet once each, and returned when they are reversed', async () => {
    const payment = await begin(10)
    world.pay(payment.providerId)
    await world.provider.refund(payment.providerId, 250, 'first')
    await deliver(...world.messages())
    expect(await balance()).toBe(750)
    await world.provider.refund(payment.providerId, 150, 'second')
    world.chargeBack(payment.providerId, 600)
    const messages = world.messages()
    await deliver(...messages.toReversed(), ...messages, ...messages)
    expect(await balance()).toBe(0)
    world.giveBack(payment.providerId)
    const later = world.messages()
    await deliver(...later, ...messages, ...later)
    expect(await balance()).toBe(600)
  })

  test("a chargeback webhook that precedes the payment's processes both", async () => {
    const payment = await begin(10)
    world.pay(payment.providerId)
    world.chargeBack(payment.providerId, 1000)
    const last = world.messages().at(-1)
    if (last === undefined) throw new Error('nothing was told')
    await deliver(last)
    expect(await statusOf(app, payment.id)).toBe('paid')
    expect(await balance()).toBe(0)
  })

  test.each(['500', '429', 'lost', 'garbage'] as const)(
    'while the provider answers nothing but %s nothing is booked, and afterwards all of it',
    async (fault) => {
      const payment = await begin(10)
      world.pay(payment.providerId)
      const messages = world.messages()
      world.server.fail(fault)
      const statuses = await deliver(...messages)
      // a 503 makes the provider resend it; accepted ones are checked again
      for (const status of statuses) expect([200, 503]).toContain(status)
      expect(await balance()).toBe(0)
      expect(await statusOf(app, payment.id)).toBe('open')
      world.server.recover()
      await pass(3)
      expect(await balance()).toBe(1000)
      await deliver(...messages)
      expect(await balance()).toBe(1000)
    },
    60_000,
  )

  test('a payment whose response was lost is found, paid and credited once', async () => {
    // the browser is told to retry later; the payment exists at the provider, but its row has no ID
    world.server.fail('lost', world.begins.page)
    const { status } = await payer.call('POST /api/v4/payments', { amount: 10 })
    expect(status).toBe(503)
    world.server.recover()
    const row = await app.database.db
      .selectFrom('payments')
      .select(['id', 'providerId'])
      .where('walletId', '=', payer.walletId)
      .executeTakeFirstOrThrow()
    expect(row.providerId).toBeNull()
    const there = await world.provider.findPayment(row.id, null)
    if (there === undefined) throw new Error('it is not there')
    world.pay(there.id)
    await deliver(...world.messages())
    expect(await statusOf(app, row.id)).toBe('paid')
    expect(await balance()).toBe(1000)
  })

  test('a request that never arrived is eventually given up and costs nothing', async () => {
    world.server.fail('500', world.begins.page)
    expect((await payer.call('POST /api/v4/payments', { amount: 10 })).status).toBe(503)
    world.server.recover()
    for (let hour = 0; hour < 5; hour += 1) await pass(60)
    const { status } = (await payer.call('GET /api/v4/payments/status')).body
    expect(status).toBe('canceled')
    expect(await balance()).toBe(0)
  })

  test('an expired payment credits nothing', async () => {
    const payment = await begin(10)
    world.expire(payment.providerId)
    await deliver(...world.messages())
    expect(await statusOf(app, payment.id)).toBe('expired')
    expect(await balance()).toBe(0)
  })

  test('a payment cancelled here is cancelled at the provider', async () => {
    const payment = await begin(10, { methodId: 'paypal' })
    const { body } = await payer.call('GET /api/v4/payments/pending')
    expect(body.list).toMatchObject([{ id: payment.id, status: 'open' }])
    expect((await payer.call(`DELETE /api/v4/payments/${payment.id}`)).status).toBe(200)
    await app.jobs.drain()
    expect(await statusOf(app, payment.id)).toBe('canceled')
    expect(await world.provider.readPayment(payment.providerId)).toMatchObject({ status: 'canceled' })
  })

  test('forged webhooks change nothing', async () => {
    const payment = await begin(10)
    world.pay(payment.providerId)
    const [message] = world.messages()
    if (message === undefined) throw new Error('nothing was told')
    const forged = world.tampered(message)
    expect(await deliver(forged)).toEqual([name === 'stripe' ? 400 : 200])
    expect(await balance()).toBe(0)
    if (name === 'stripe') {
      app.clock.advance(301)
      expect(await deliver(message)).toEqual([400])
      expect(await balance()).toBe(0)
    }
  })

  /** Whichever webhooks arrive, in any order and number, the books finally match the provider. */
  test.each([1, 2])(
    'random life %d ends with the balance that the provider knows',
    async (seed) => {
      const random = generator(seed)
      const payments = [await begin(10), await begin(20), await begin(30)]
      const outbox: WebhookMessage[] = []
      for (const { providerId } of payments) {
        if (random() < 0.2) world.expire(providerId)
        else {
          world.pay(providerId)
          if (random() < 0.6)
            await world.provider.refund(providerId, 1 + Math.floor(random() * 500), providerId)
          if (random() < 0.5) world.chargeBack(providerId, 1 + Math.floor(random() * 400))
          if (random() < 0.5) await deliver(...world.messages().slice(0, 1))
          if (random() < 0.4) world.giveBack(providerId)
        }
        outbox.push(...world.messages())
      }
      for (let count = 0; count < 2 * outbox.length; count += 1) {
        const message = outbox[Math.floor(random() * outbox.length)]
        if (message === undefined || random() < 0.3) continue
        if (random() < 0.2) world.server.fail('500', /^GET/, 1)
        await deliver(message)
      }
      world.server.recover()
      for (let day = 0; day < 3; day += 1) await pass(24 * 60)
      let expected = 0
      for (const { providerId } of payments) {
        const said = await world.provider.readPayment(providerId)
        if (said?.status === 'paid') expected += said.amount
        for (const { amount } of said?.reversals ?? []) expected -= amount
      }
      expect(await balance()).toBe(expected)
    },
    60_000,
  )
})

/** Reproducible pseudorandom numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
