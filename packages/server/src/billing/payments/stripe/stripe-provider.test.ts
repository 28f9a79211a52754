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
  test('stays open when the bank declines a card, and is paid with another one', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.declineOnPage(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'open', checkoutUrl: expect.any(String) })
    server.account.pay(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'paid', amount: 1250 })
  })

  test('that was declined and then expired has expired', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.declineOnPage(id)
    server.account.expire(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'expired' })
  })

  test('that we ended is canceled and keeps our id', async () => {
    const order = anOrder()
    const { id } = await provider.startPayment(order)
    await provider.cancelPayment(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'canceled', paymentId: order.paymentId })
  })

  test('whose customer was faster than our end of it is paid', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.fail('silent', /expire$/)
    const impatient = new StripeProvider({ ...access(), timeout: 200, retries: 0 })
    await expect(impatient.cancelPayment(id)).rejects.toBeInstanceOf(ProviderUnavailable)
    server.recover()
    server.account.pay(id)
    expect(await provider.readPayment(id)).toMatchObject({ status: 'paid' })
    await expect(provider.cancelPayment(id)).rejects.toMatchObject({ refusal: 'too late' })
  })

  test('for a method that is switched off is refused, instead of a page that offers nothing', async () => {
    server.account.available.delete('paypal')
    await expect(provider.startPayment(anOrder({ method: 'paypal' }))).rejects.toMatchObject({
      refusal: 'method',
    })
    expect((await provider.methods('oneoff', 'CHF')).map(({ id }) => id)).not.toContain('paypal')
  })

  test('is in the language and the currency of the order', async () => {
    const { id } = await provider.startPayment(anOrder({ language: 'fr', amount: 999 }))
    expect(server.account.objects.get(id)).toMatchObject({ currency: 'chf', amount_total: 999 })
  })
})

describe('a dispute', () => {
  test('that is only an inquiry takes nothing', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.pay(id)
    server.account.dispute(id, 1250, true)
    expect((await provider.readPayment(id))?.reversals).toEqual([])
  })

  test('of a part takes that part', async () => {
    const { id } = await provider.startPayment(anOrder())
    server.account.pay(id)
    server.account.dispute(id, 300)
    expect((await provider.readPayment(id))?.reversals).toMatchObject([{ type: 'chargeback', amount: 300 }])
  })
})

test('a dispute of an account that keeps its money in another currency counts in that of the payment', async () => {
  server.account.settlement = { currency: 'eur', rate: 0.93 }
  const { id } = await provider.startPayment(anOrder())
  server.account.pay(id)
  const dispute = server.account.dispute(id, 500)
  expect((await provider.readPayment(id))?.reversals).toMatchObject([{ type: 'chargeback', amount: 500 }])
  server.account.winDispute(dispute.id)
  expect((await provider.readPayment(id))?.reversals).toEqual([])
})

test('a charge for which the bank wants the customer has failed', async () => {
  const { id, customerId } = await provider.startMandate(anOrder({ amount: 0 }))
  server.account.pay(id, 'wants its owner')
  const mandateId = (await provider.readPayment(id))?.mandateId
  const charge = await provider.chargeMandate(anOrder({ customerId }), String(mandateId))
  expect(await provider.readPayment(charge.id)).toMatchObject({ status: 'failed' })
})

test('a key that Stripe does not know is an outage for customers, and nobody is told it', async () => {
  const wrong = new StripeProvider({ ...access(), key: 'sk_test_wrong_secret' })
  const failure = await wrong.startPayment(anOrder()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ProviderUnavailable)
  expect(String(failure)).not.toContain('wrong_secret')
})

test('a lost connection is tried again under the same key, and is one payment', async () => {
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
