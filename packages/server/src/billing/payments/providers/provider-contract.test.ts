import { beforeEach, describe, expect, test } from 'vitest'
import type { ManualClock } from '../../../platform/clock.ts'
import {
  anOrder,
  type BankTemper,
  mandateOf,
  type ProviderWorld,
  paidPayment,
  providerWorlds,
  readOf,
  useProviderWorld,
} from '../../../testing/payments/provider-worlds.ts'
import { PaymentRefused } from './provider-errors.ts'

/** Behaviour common to all providers, run against the HTTP API of each. */
describe.each(providerWorlds)('%s', (_name, start) => {
  const provider = useProviderWorld(start)
  let clock: ManualClock
  let world: ProviderWorld

  beforeEach(() => {
    ;({ clock, world } = provider)
  })

  const read = (id: string) => readOf(world, id)
  const paid = () => paidPayment(world)
  const mandate = (temper?: BankTemper) => mandateOf(world, temper)

  describe("a payment on the provider's page", () => {
    test('is open, has a URL at the provider, and shows its description', async () => {
      const order = anOrder()
      const started = await world.provider.startPayment(order)
      expect(started.redirectUrl).toMatch(/^https:\/\//)
      expect(started.customerId).not.toBeNull()
      expect(await read(started.id)).toMatchObject({
        id: started.id,
        paymentId: order.paymentId,
        status: 'open',
        amount: 1250,
        currency: 'CHF',
        paidAt: null,
        checkoutUrl: started.redirectUrl,
        reversals: [],
        mandateId: null,
      })
    })

    test('is paid, with time, amount and method', async () => {
      const { id } = await world.provider.startPayment(anOrder())
      clock.advance(60)
      world.pay(id)
      const payment = await read(id)
      expect(payment).toMatchObject({ status: 'paid', amount: 1250, currency: 'CHF', checkoutUrl: null })
      expect(payment.paidAt).toEqual(clock.now())
      expect(payment.method).toMatch(/^(Visa|Mastercard) •••• \d{4}$/)
      expect(payment.isCancelable).toBe(false)
      expect(payment.mandateId).toBeNull()
    })

    test('expires', async () => {
      const { id } = await world.provider.startPayment(anOrder())
      world.expire(id)
      expect(await read(id)).toMatchObject({ status: 'expired', isCancelable: false, checkoutUrl: null })
    })

    test('is cancelled while that is possible', async () => {
      const { id } = await world.provider.startPayment(anOrder({ method: 'paypal' }))
      expect(await read(id)).toMatchObject({ isCancelable: true })
      await world.provider.cancelPayment(id)
      expect(await read(id)).toMatchObject({ status: 'canceled', isCancelable: false, checkoutUrl: null })
    })

    test('is not cancelled once it is paid', async () => {
      const { id } = await paid()
      await expect(world.provider.cancelPayment(id)).rejects.toMatchObject({
        refusal: 'too late',
        status: 409,
      })
      expect(await read(id)).toMatchObject({ status: 'paid' })
    })

    test('by bank transfer is pending for days and then arrives', async () => {
      const { id } = await world.provider.startPayment(anOrder({ method: 'banktransfer', currency: 'EUR' }))
      world.order(id)
      expect(await read(id)).toMatchObject({ status: 'pending', paidAt: null, currency: 'EUR' })
      clock.advance(3 * 24 * 3600)
      world.arrive(id)
      expect(await read(id)).toMatchObject({ status: 'paid', paidAt: clock.now() })
    })

    test('by bank transfer is cancelled while it is pending', async () => {
      const { id } = await world.provider.startPayment(anOrder({ method: 'banktransfer', currency: 'EUR' }))
      world.order(id)
      expect(await read(id)).toMatchObject({ isCancelable: true })
      await world.provider.cancelPayment(id)
      expect(await read(id)).toMatchObject({ status: 'canceled' })
    })

    test('that the bank returns has failed', async () => {
      const { id } = await world.provider.startPayment(anOrder({ method: 'banktransfer', currency: 'EUR' }))
      world.order(id)
      world.bounce(id)
      expect(await read(id)).toMatchObject({ status: 'failed', paidAt: null })
    })

    test('repeated with the same order is created once', async () => {
      const order = anOrder()
      const first = await world.provider.startPayment(order)
      expect(await world.provider.startPayment(order)).toEqual(first)
      expect(world.countPayments()).toBe(1)
    })

    test('repeated simultaneously for one wallet creates one customer', async () => {
      const order = anOrder()
      const other = { ...anOrder(), customer: order.customer }
      const [one, two] = await Promise.all([
        world.provider.startPayment(order),
        world.provider.startPayment(other),
      ])
      expect(one.customerId).toBe(two.customerId)
      expect(one.id).not.toBe(two.id)
    })

    test('recreates a customer who was deleted at the provider', async () => {
      const { customerId } = await paid()
      world.deleteCustomer(String(customerId))
      const started = await world.provider.startPayment(anOrder({ customerId }))
      expect(started.customerId).not.toBe(customerId)
      world.pay(started.id)
      expect(await read(started.id)).toMatchObject({ status: 'paid' })
    })

    test('in a currency without decimals is formatted as such', async () => {
      const { id } = await world.provider.startPayment(anOrder({ currency: 'JPY', amount: 1250 }))
      world.pay(id)
      expect(await read(id)).toMatchObject({ status: 'paid', amount: 1250, currency: 'JPY' })
    })

    test.each([
      ['an amount below the least', { amount: 1, method: 'banktransfer', currency: 'EUR' }, /amount/],
      [
        'a currency that the method does not have',
        { method: 'banktransfer', currency: 'CHF' },
        /amount|method/,
      ],
      ['a method that there is not', { method: 'bitcoin' }, /method/],
    ] as const)('%s is refused with words for the customer', async (_what, facts, refusal) => {
      const failure = await world.provider.startPayment(anOrder(facts)).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(PaymentRefused)
      expect(failure).toMatchObject({ status: 422, refusal: expect.stringMatching(refusal) })
    })

    test('with an unknown ID is not found', async () => {
      expect(await world.provider.readPayment('tr_unknown')).toBeUndefined()
      expect(await world.provider.readPayment('cs_test_unknown')).toBeUndefined()
      expect(await world.provider.readPayment('../customers')).toBeUndefined()
    })
  })

  describe('methods', () => {
    test('are the enabled ones, with their minimum amount and currency', async () => {
      const methods = await world.provider.methods('oneoff', 'CHF')
      expect(methods.map(({ id, currency }) => `${id} ${currency}`)).toEqual(
        expect.arrayContaining(['creditcard CHF', 'paypal CHF', 'banktransfer EUR']),
      )
      for (const { minimum, name } of methods) {
        expect(Number.isInteger(minimum)).toBe(true)
        expect(minimum).toBeGreaterThan(0)
        expect(name).not.toBe('')
      }
      expect(new Set(methods.map(({ id }) => id)).size).toBe(methods.length)
    })

    test('for recurring payments are those that can set up a mandate', async () => {
      const methods = await world.provider.methods('recurring', 'CHF')
      expect(methods.map(({ id }) => id)).toContain('creditcard')
      expect(methods.map(({ id }) => id)).not.toContain('banktransfer')
    })
  })

  describe('a mandate', () => {
    test('is set up without a payment', async () => {
      const order = anOrder({ amount: 0 })
      const { id, customerId, redirectUrl } = await world.provider.startMandate(order)
      expect(redirectUrl).toMatch(/^https:\/\//)
      expect(await read(id)).toMatchObject({ status: 'open', amount: 0, mandateId: null, currency: 'CHF' })
      world.pay(id)
      const payment = await read(id)
      expect(payment).toMatchObject({
        status: 'paid',
        amount: 0,
        currency: 'CHF',
        paymentId: order.paymentId,
      })
      expect(await world.provider.readMandate(String(payment.mandateId), customerId)).toMatchObject({
        id: payment.mandateId,
        status: 'valid',
        methodId: 'creditcard',
        method: payment.method,
      })
    })

    test('is set up with a first payment', async () => {
      const { id, customerId } = await world.provider.startMandate(anOrder({ amount: 2000 }))
      world.pay(id)
      const payment = await read(id)
      expect(payment).toMatchObject({ status: 'paid', amount: 2000 })
      expect(await world.provider.readMandate(String(payment.mandateId), customerId)).toMatchObject({
        status: 'valid',
      })
    })

    test("is charged without the customer's involvement", async () => {
      const { mandateId, customerId } = await mandate()
      const order = anOrder({ customerId, amount: 990 })
      const { id } = await world.provider.chargeMandate(order, mandateId)
      expect(await read(id)).toMatchObject({
        id,
        paymentId: order.paymentId,
        status: 'paid',
        amount: 990,
        mandateId: null,
        checkoutUrl: null,
      })
    })

    test('is charged once for repeated orders', async () => {
      const { mandateId, customerId } = await mandate()
      const order = anOrder({ customerId })
      const before = world.countPayments()
      const first = await world.provider.chargeMandate(order, mandateId)
      expect(await world.provider.chargeMandate(order, mandateId)).toEqual(first)
      expect(world.countPayments()).toBe(before + 1)
    })

    test('declined by the bank results in a failed payment', async () => {
      const { mandateId, customerId } = await mandate('declines')
      const order = anOrder({ customerId })
      const { id } = await world.provider.chargeMandate(order, mandateId)
      expect(await read(id)).toMatchObject({ status: 'failed', paidAt: null, paymentId: order.paymentId })
      // a repeated request returns the same failure, without a second attempt at the bank
      expect(await world.provider.chargeMandate(order, mandateId)).toMatchObject({ id })
    })

    test('with a slow charge has a pending payment', async () => {
      const { mandateId, customerId } = await mandate('takes days')
      const { id } = await world.provider.chargeMandate(anOrder({ customerId }), mandateId)
      expect(await read(id)).toMatchObject({ status: 'pending', paidAt: null })
      world.arrive(id)
      expect(await read(id)).toMatchObject({ status: 'paid' })
    })

    test("can't be charged once it is revoked", async () => {
      const { mandateId, customerId } = await mandate()
      await world.provider.revokeMandate(mandateId, customerId)
      expect(await world.provider.readMandate(mandateId, customerId)).toBeUndefined()
      // revoking it again has no effect
      await world.provider.revokeMandate(mandateId, customerId)
      await expect(world.provider.chargeMandate(anOrder({ customerId }), mandateId)).rejects.toMatchObject({
        refusal: 'mandate',
      })
    })

    test('that does not exist is not found', async () => {
      const { customerId } = await mandate()
      expect(await world.provider.readMandate('mdt_unknown', customerId)).toBeUndefined()
    })
  })

  describe('a reversal', () => {
    test('is a partial refund, then one of the rest', async () => {
      const { id } = await paid()
      await world.provider.refund(id, 250, 'refund-1')
      expect((await read(id)).reversals).toEqual([
        { id: expect.any(String), type: 'refund', amount: 250, at: clock.now() },
      ])
      await world.provider.refund(id, 1000, 'refund-2')
      const { status, reversals } = await read(id)
      expect(status).toBe('paid')
      expect(reversals.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([250, 1000])
    })

    test('repeated as the same refund is made once', async () => {
      const { id } = await paid()
      await world.provider.refund(id, 250, 'refund-1')
      await world.provider.refund(id, 250, 'refund-1')
      expect((await read(id)).reversals).toHaveLength(1)
    })

    test('above the paid amount is rejected', async () => {
      const { id } = await paid()
      await world.provider.refund(id, 1000, 'refund-1')
      await expect(world.provider.refund(id, 300, 'refund-2')).rejects.toBeInstanceOf(PaymentRefused)
      expect((await read(id)).reversals).toHaveLength(1)
    })

    test('of an unpaid payment is rejected', async () => {
      const { id } = await world.provider.startPayment(anOrder())
      await expect(world.provider.refund(id, 100, 'refund-1')).rejects.toMatchObject({ refusal: 'refund' })
    })

    test('that failed is not listed', async () => {
      const { id } = await paid()
      await world.provider.refund(id, 250, 'refund-1')
      world.failRefunds(id)
      expect((await read(id)).reversals).toEqual([])
    })

    test('is a chargeback by the bank, and disappears when that is reversed', async () => {
      const { id } = await paid()
      world.chargeBack(id, 1250)
      const { status, reversals } = await read(id)
      expect(status).toBe('paid')
      expect(reversals).toEqual([
        { id: expect.any(String), type: 'chargeback', amount: 1250, at: clock.now() },
      ])
      world.giveBack(id)
      expect((await read(id)).reversals).toEqual([])
    })

    test('of a charge by mandate is listed as well', async () => {
      const { mandateId, customerId } = await mandate()
      const { id } = await world.provider.chargeMandate(anOrder({ customerId }), mandateId)
      await world.provider.refund(id, 250, 'refund-1')
      world.chargeBack(id, 1000)
      expect((await read(id)).reversals.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
        'refund 250',
        'chargeback 1000',
      ])
    })

    test('is listed completely, even with many refunds', async () => {
      const { id } = await paid()
      for (let number = 0; number < 12; number += 1) await world.provider.refund(id, 100, `refund-${number}`)
      expect((await read(id)).reversals).toHaveLength(12)
    })
  })
})
