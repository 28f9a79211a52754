import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../platform/clock.ts'
import { anOrder } from '../../../testing/payments/provider-worlds.ts'
import { StripeServer } from '../../../testing/payments/stripe-server.ts'
import { ProviderUnavailable } from '../providers/provider-errors.ts'
import { StripeProvider } from './stripe-provider.ts'

let clock: ManualClock
let server: StripeServer
let provider: StripeProvider

beforeEach(async () => {
  clock = new ManualClock(new Date('2026-03-10T12:00:00Z'))
  server = await StripeServer.start(clock)
  const { key, webhookSecret, url } = server
  provider = new StripeProvider({ key, webhookSecret, clock, apiUrl: url, retries: 0 })
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
})

describe('a session', () => {
  test('stays open when the bank declines a card, and can be paid with another one', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.declineOnPage(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'open', checkoutUrl: expect.any(String) })
    server.account.pay(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'paid', amount: 1250 })
  })

  test('that expires after a declined card is expired', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.declineOnPage(id)
    server.account.expire(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'expired' })
  })

  test('that we expired is cancelled and keeps our ID', async () => {
    const order = anOrder()
    const { id } = await provider.startPayment(order)
    await provider.cancelPayment(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'canceled', paymentId: order.paymentId })
  })

  test('paid by the customer before we expired it is paid', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.fail('silent', /expire$/)
    const impatient = new StripeProvider({ ...access(), timeout: 200, retries: 0 })
    await expect(impatient.cancelPayment(id)).rejects.toBeInstanceOf(ProviderUnavailable)
    server.recover()
    server.account.pay(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'paid' })
    await expect(provider.cancelPayment(id)).rejects.toMatchObject({ refusal: 'too late' })
  })

  test('for a disabled method is rejected, instead of showing a page without methods', async () => {
    server.account.available.delete('paypal')
    await expect(provider.startPayment(anOrder({ method: 'paypal' }))).rejects.toMatchObject({
      refusal: 'method',
    })
    expect((await provider.methods('oneoff', 'CHF')).map(({ id }) => id)).not.toContain('paypal')
  })

  test('has the language and the currency of the order', async () => {
    const { id } = await provider.startPayment(anOrder({ language: 'fr', amount: 999 }))
    expect(server.account.objects.get(id)).toMatchObject({ currency: 'chf', amount_total: 999 })
  })
})

describe('a dispute', () => {
  test('that is only an inquiry withdraws nothing', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.pay(id)
    server.account.dispute(id, 1250, true)
    expect((await provider.readPayment(id))?.reversals).toEqual([])
  })

  test('of a part withdraws that part', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.pay(id)
    server.account.dispute(id, 300)
    expect((await provider.readPayment(id))?.reversals).toMatchObject([{ type: 'chargeback', amount: 300 }])
  })
})

test("a dispute in an account with another currency is converted to the payment's", async () => {
  server.account.settlement = { currency: 'eur', rate: 0.93 }
  const { id } = await provider.startPayment(anOrder())
  server.account.pay(id)
  const dispute = server.account.dispute(id, 500)
  expect((await provider.readPayment(id))?.reversals).toMatchObject([{ type: 'chargeback', amount: 500 }])
  server.account.winDispute(dispute.id)
  expect((await provider.readPayment(id))?.reversals).toEqual([])
})

test('a charge that requires customer authentication has failed', async () => {
  const { id, customerId } = await provider.startMandate(anOrder({ amount: 0 }))
  server.account.pay(id, 'wants its owner')
  const mandateId = (await provider.readPayment(id))?.mandateId
  const charge = await provider.chargeMandate(anOrder({ customerId }), String(mandateId))
  expect(await provider.readPayment(charge.id)).toMatchObject({ status: 'failed' })
})

test('an invalid API key is an outage for customers and is not revealed', async () => {
  const wrong = new StripeProvider({ ...access(), key: 'sk_test_wrong_secret' })
  const failure = await wrong.startPayment(anOrder()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ProviderUnavailable)
  expect(String(failure)).not.toContain('wrong_secret')
})

test('a lost connection is retried with the same key and creates one payment', async () => {
  const patient = new StripeProvider({ ...access(), retries: 2 })
  server.fail('lost', /sessions$/, 2)
  const { id } = await patient.startPayment(anOrder())
  expect(await patient.readPayment(id)).toMatchObject({ status: 'open' })
  expect(server.account.all('checkout.session')).toHaveLength(1)
})

function access() {
  const { key, webhookSecret, url } = server
  return { key, webhookSecret, clock, apiUrl: url }
}
