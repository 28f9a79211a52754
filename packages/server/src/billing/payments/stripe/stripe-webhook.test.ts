import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../platform/clock.ts'
import { anOrder } from '../../../testing/payments/provider-worlds.ts'
import { StripeServer } from '../../../testing/payments/stripe-server.ts'
import type { WebhookMessage } from '../providers/provider.ts'
import { ProviderUnavailable, WebhookRefused } from '../providers/provider-errors.ts'
import { StripeProvider } from './stripe-provider.ts'

const clock = new ManualClock(new Date('2026-03-10T12:00:00Z'))
let server: StripeServer
let provider: StripeProvider

beforeAll(async () => {
  server = await StripeServer.start(clock)
  const { key, webhookSecret, url } = server
  provider = new StripeProvider({ key, webhookSecret, clock, apiUrl: url, retries: 0 })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

/** Number of events when the test began. */
let before = 0
beforeEach(() => {
  before = server.account.events.length
})
function eventOf(type: string) {
  const found = server.account.events.slice(before).find((event) => event.type === type)
  if (found === undefined) throw new Error(`${type} did not happen`)
  return found
}

async function paid(): Promise<string> {
  const { id } = await provider.startPayment(anOrder())
  server.account.pay(id)
  return id
}

describe('a webhook', () => {
  test('with a valid signature is accepted', async () => {
    const id = await paid()
    const message = server.message(eventOf('payment_intent.succeeded'))
    expect(await provider.readWebhook(message)).toEqual([id])
  })

  test('replayed within five minutes is accepted, and rejected later', async () => {
    const id = await paid()
    const message = server.message(eventOf('payment_intent.succeeded'))
    clock.advance(300)
    expect(await provider.readWebhook(message)).toEqual([id])
    clock.advance(1)
    await expect(provider.readWebhook(message)).rejects.toBeInstanceOf(WebhookRefused)
    // Stripe creates a new signature for every retry
    expect(await provider.readWebhook(server.message(eventOf('payment_intent.succeeded')))).toEqual([id])
  })

  test.each<[string, (message: WebhookMessage) => WebhookMessage]>([
    [
      'a body that was changed',
      (message) => ({ ...message, body: Buffer.from(`${message.body.toString()} `) }),
    ],
    ['no signature', (message) => ({ ...message, headers: {} })],
    ['two signatures in headers of their own', (message) => ({ ...message, headers: twice(message) })],
    ['an empty signature', (message) => signed(message, '')],
    ['a signature without a time', (message) => signed(message, signatureOf(message).replace(/^t=\d+,/, ''))],
    [
      'a time that was moved',
      (message) => signed(message, signatureOf(message).replace(/^t=\d+/, 't=1773144001')),
    ],
    [
      'a signature of another scheme',
      (message) => signed(message, signatureOf(message).replace('v1=', 'v0=')),
    ],
    ['half a signature', (message) => signed(message, signatureOf(message).slice(0, -32))],
  ])('with %s is refused', async (_what, change) => {
    await paid()
    const message = change(server.message(eventOf('payment_intent.succeeded')))
    await expect(provider.readWebhook(message)).rejects.toMatchObject({ name: 'WebhookRefused', status: 400 })
  })

  test("with another key's signature is rejected", async () => {
    await paid()
    const message = server.message(eventOf('payment_intent.succeeded'), 'whsec_other')
    await expect(provider.readWebhook(message)).rejects.toBeInstanceOf(WebhookRefused)
  })

  test('with a valid signature but no content is rejected, or refers to nothing', async () => {
    await expect(provider.readWebhook(server.sign('no json'))).rejects.toBeInstanceOf(WebhookRefused)
    const hollow = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'refund.created',
      data: { object: {} },
    })
    expect(await provider.readWebhook(server.sign(hollow))).toEqual([])
  })

  test('cannot be assigned during an outage, so that Stripe resends it', async () => {
    await paid()
    const message = server.message(eventOf('payment_intent.succeeded'))
    server.fail('500')
    await expect(provider.readWebhook(message)).rejects.toBeInstanceOf(ProviderUnavailable)
    server.recover()
  })
})

describe('the payment of', () => {
  test("an event of a payment on Stripe's page is its session", async () => {
    const id = await paid()
    const refund = server.account.refund(server.account.intentFor(id).id, 100)
    server.account.failRefund(refund.id)
    server.account.winDispute(server.account.dispute(id, 500).id)
    const types = [
      'payment_intent.succeeded',
      'checkout.session.completed',
      'refund.created',
      'charge.refunded',
      'refund.failed',
      'charge.refund.updated',
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ]
    for (const type of types) {
      expect(await provider.readWebhook(server.message(eventOf(type))), type).toEqual([id])
    }
  })

  test('a setup intent is its session', async () => {
    const { id } = await provider.startMandate(anOrder({ amount: 0 }))
    server.account.pay(id)
    expect(await provider.readWebhook(server.message(eventOf('setup_intent.succeeded')))).toEqual([id])
  })

  test('an expired session is the session itself', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.expire(id)
    expect(await provider.readWebhook(server.message(eventOf('checkout.session.expired')))).toEqual([id])
  })

  test('an unrelated event is undefined, without a call to Stripe', async () => {
    await paid()
    const asked = server.requests.length
    expect(await provider.readWebhook(server.message(eventOf('charge.succeeded')))).toEqual([])
    const other = { id: 'evt_x', type: 'invoice.paid', object: { id: 'in_1', object: 'invoice' } }
    expect(await provider.readWebhook(server.message(other))).toEqual([])
    expect(server.requests).toHaveLength(asked)
  })
})

function signatureOf({ headers }: WebhookMessage): string {
  return String(headers['stripe-signature'])
}

function signed(message: WebhookMessage, signature: string): WebhookMessage {
  return { ...message, headers: { ...message.headers, 'stripe-signature': signature } }
}

function twice(message: WebhookMessage): WebhookMessage['headers'] {
  return { 'stripe-signature': [signatureOf(message), signatureOf(message)] }
}
