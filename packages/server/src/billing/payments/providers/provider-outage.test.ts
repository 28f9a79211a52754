import { inspect } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
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
import { ProviderUnavailable } from './provider-errors.ts'

/**
 * Behaviour common to all providers if responses are lost, late or wrong, run against the HTTP API of each.
 */
describe.each(providerWorlds)('%s', (_name, start) => {
  const provider = useProviderWorld(start)
  let world: ProviderWorld

  beforeEach(() => {
    ;({ world } = provider)
  })

  const read = (id: string) => readOf(world, id)
  const paid = () => paidPayment(world)
  const mandate = (temper?: BankTemper) => mandateOf(world, temper)

  describe('after a lost response', () => {
    test("a payment on the provider's page is found by our ID, although its customer isn't known yet", async () => {
      const order = anOrder()
      world.server.fail('lost', world.begins.page)
      await expect(world.provider.startPayment(order)).rejects.toBeInstanceOf(ProviderUnavailable)
      world.server.recover()
      expect(world.countPayments()).toBe(1)
      const found = await world.provider.findPayment(order.paymentId, null)
      expect(found).toMatchObject({ paymentId: order.paymentId, status: 'open' })
      expect(found?.checkoutUrl).toMatch(/^https:/)
    })

    test('a charge is found by our ID and not repeated', async () => {
      const { mandateId, customerId } = await mandate()
      const order = anOrder({ customerId })
      const before = world.countPayments()
      world.server.fail('lost', world.begins.charge)
      await expect(world.provider.chargeMandate(order, mandateId)).rejects.toBeInstanceOf(ProviderUnavailable)
      world.server.recover()
      const found = await world.provider.findPayment(order.paymentId, customerId)
      expect(found).toMatchObject({ paymentId: order.paymentId, status: 'paid' })
      expect(await world.provider.chargeMandate(order, mandateId)).toMatchObject({ id: found?.id })
      expect(world.countPayments()).toBe(before + 1)
    })

    test('a repeated refund is made once', async () => {
      const { id } = await paid()
      world.server.fail('lost', /refunds$/)
      await expect(world.provider.refund(id, 250, 'refund-1')).rejects.toBeInstanceOf(ProviderUnavailable)
      world.server.recover()
      await world.provider.refund(id, 250, 'refund-1')
      expect((await read(id)).reversals).toHaveLength(1)
    })

    test('a payment that never started is not found', async () => {
      const { customerId } = await paid()
      expect(await world.provider.findPayment('never', customerId)).toBeUndefined()
      expect(await world.provider.findPayment('never', null)).toBeUndefined()
    })

    test('a payment is found behind many later ones', async () => {
      const order = anOrder()
      const { customerId } = await world.provider.startPayment(order)
      for (let batch = 0; batch < 26; batch += 1) {
        const later = Array.from({ length: 10 }, () => anOrder({ customerId }))
        await Promise.all(later.map((one) => world.provider.startPayment(one)))
      }
      expect(await world.provider.findPayment(order.paymentId, customerId)).toMatchObject({ status: 'open' })
    }, 30_000)
  })

  describe('an outage', () => {
    test.each(['500', '429', 'silent', 'slow', 'lost', 'garbage'] as const)(
      '(%s) is one for every call, and over when it is over',
      async (fault) => {
        const { mandateId, customerId } = await mandate()
        const { id } = await paid()
        world.server.fail(fault)
        const calls = {
          methods: world.provider.methods('oneoff', 'CHF'),
          startPayment: world.provider.startPayment(anOrder()),
          startMandate: world.provider.startMandate(anOrder({ amount: 0 })),
          chargeMandate: world.provider.chargeMandate(anOrder({ customerId }), mandateId),
          readPayment: world.provider.readPayment(id),
          findPayment: world.provider.findPayment('any', customerId),
          readMandate: world.provider.readMandate(mandateId, customerId),
          refund: world.provider.refund(id, 1, 'refund-1'),
        }
        const outcomes = await Promise.allSettled(Object.values(calls))
        const names = Object.keys(calls)
        for (const [place, outcome] of outcomes.entries()) {
          expect(outcome, names[place]).toMatchObject({
            status: 'rejected',
            reason: expect.any(ProviderUnavailable),
          })
        }
        world.server.recover()
        expect(await read(id)).toMatchObject({ status: 'paid' })
      },
      20_000,
    )

    test.each(['500', '429', 'silent', 'lost', 'garbage'] as const)(
      '(%s) tells nobody the key',
      async (fault) => {
        world.server.fail(fault)
        const failure = await world.provider.findPayment('any', null).catch((error: unknown) => error)
        if (!(failure instanceof ProviderUnavailable)) throw new Error('nothing went wrong')
        const told = [failure.message, failure.reason, failure.stack, inspect(failure, { depth: 5 })].join(
          '\n',
        )
        expect(told).not.toContain(world.key)
      },
    )
  })

  describe('webhooks', () => {
    test('name their payment by the stored ID', async () => {
      const { id, customerId } = await paid()
      world.chargeBack(id, 1000)
      world.giveBack(id)
      const { mandateId, ...rest } = await mandate()
      const set = world.messages()
      const named = await Promise.all(set.map((message) => world.provider.readWebhook(message)))
      expect(named.flat()).toContain(id)
      const charge = await world.provider.chargeMandate(anOrder({ customerId: rest.customerId }), mandateId)
      const about = await Promise.all(world.messages().map((message) => world.provider.readWebhook(message)))
      expect(new Set(about.flat())).toEqual(new Set([charge.id]))
      expect(customerId).not.toBeNull()
    })

    test('from elsewhere refer to nothing, or are rejected', async () => {
      for (const body of ['', 'id=', 'id=../../etc', 'id=ord_1', '{"id":"tr_1"}', 'x'.repeat(100_000)]) {
        const read = world.provider.readWebhook({ body: Buffer.from(body), headers: {} })
        const outcome = await read.catch((error: unknown) => error)
        expect(Array.isArray(outcome) ? outcome : (outcome as { status?: number }).status).toEqual(
          world.name === 'stripe' ? 400 : [],
        )
      }
    })
  })
})
