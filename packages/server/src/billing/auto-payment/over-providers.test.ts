import { beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { giveMoney } from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import {
  beginMandate,
  chargesOf,
  checkWalletNow,
  type MandateFacts,
} from '../../testing/payments/mandates.ts'
import { useProviderApp } from '../../testing/payments/provider-app.ts'
import {
  type BankTemper,
  type ProviderWorld,
  providerWorlds,
} from '../../testing/payments/provider-worlds.ts'
import { makePayer, type Payer, statusOf } from '../../testing/payments/sandbox.ts'
import type { TestApp } from '../../testing/test-app.ts'
import { customersOf } from '../payments/payment-store.ts'
import { livingMandate, readMandate } from './mandate-store.ts'

const route = '/api/v4/payments/mandate'

/** Auto-payment from the owner's click to the ledger, over each provider's HTTP API and webhooks. */
describe.each(providerWorlds)('auto-payment over %s', (_name, start) => {
  const portal = useProviderApp(start)
  const { deliver, pass } = portal
  let app: TestApp
  let world: ProviderWorld
  let payer: Payer

  beforeEach(async () => {
    ;({ app, world } = portal)
    payer = await makePayer(app)
    world.messages()
  })

  const balance = () => balanceOf(app, payer.walletId)
  const shown = async () => (await payer.call(`GET ${route}`)).body
  const charges = async () => (await chargesOf(app, payer.walletId)).map(({ status }) => status)
  const check = () => checkWalletNow(app, payer.walletId)

  /** The provider's ID of the latest charge. */
  async function lastCharge(): Promise<string> {
    const id = (await chargesOf(app, payer.walletId)).at(-1)?.providerId
    if (id == null) throw new Error('nothing was charged')
    return id
  }

  /** The provider's ID of the mandate. */
  async function mandateId(): Promise<string> {
    const living = livingMandate(await readMandate(app.database.db, payer.walletId))
    if (living === undefined) throw new Error('there is no mandate')
    return living.providerId
  }

  /** A mandate that tops up 20 below 10, in a wallet with 15. */
  async function setUp(temper?: BankTemper, facts: MandateFacts = {}): Promise<void> {
    await giveMoney(app, payer.walletId, 1500)
    const { providerId } = await beginMandate(app, payer, facts)
    world.pay(providerId, temper)
    await deliver(...world.messages())
    expect(await shown()).toMatchObject({ isValid: true, isDisabled: false, methodId: 'creditcard' })
  }

  /** Spends enough to make a top-up due. */
  const spend = () => giveMoney(app, payer.walletId, -600)

  test('is set up on the page without a payment, and is active with its card after the webhook', async () => {
    await giveMoney(app, payer.walletId, 1500)
    const { id, providerId, url } = await beginMandate(app, payer)
    expect(url).toMatch(/^https:/)
    expect(await shown()).toMatchObject({ isValid: false, isPending: true })
    world.pay(providerId)
    await deliver(...world.messages())
    expect(await statusOf(app, id)).toBe('paid')
    expect(await shown()).toMatchObject({
      ...{ isValid: true, isPending: false, isDisabled: false, amount: 20, balance: 10 },
      method: expect.stringMatching(/\d{4}/),
    })
    expect(await balance()).toBe(1500)
  })

  test('with a first payment fills the wallet immediately, and only once', async () => {
    const { providerId } = await beginMandate(app, payer)
    world.pay(providerId)
    await deliver(...world.messages())
    await check()
    expect(await balance()).toBe(2000)
    expect(await charges()).toEqual([])
    expect(await shown()).toMatchObject({ isValid: true })
  })

  test('tops up without the customer, once, however often its webhooks arrive', async () => {
    await setUp()
    await spend()
    await check()
    const messages = world.messages()
    expect(messages.length).toBeGreaterThan(0)
    await deliver(...messages, ...messages.toReversed(), ...messages)
    await check()
    expect(await charges()).toEqual(['paid'])
    expect(await balance()).toBe(2900)
  })

  test('stops when the card is declined, until its owner enables it again', async () => {
    await setUp('declines')
    await spend()
    for (let looks = 0; looks < 3; looks += 1) {
      await check()
      await deliver(...world.messages())
      await pass(24 * 60)
    }
    expect(await charges()).toEqual(['failed'])
    expect(await balance()).toBe(900)
    expect(await shown()).toMatchObject({ isValid: true, isDisabled: true })
    const { status } = await payer.call(`PUT ${route}`, { amount: 20, balance: 10 })
    expect(status).toBe(200)
    await app.jobs.drain()
    await deliver(...world.messages())
    expect(await charges()).toEqual(['failed', 'failed'])
    expect(await shown()).toMatchObject({ isDisabled: true })
  })

  test('is credited when a slow bank has paid, even without a webhook', async () => {
    await setUp('takes days')
    await spend()
    await check()
    expect(await charges()).toEqual(['pending'])
    world.arrive(await lastCharge())
    world.messages()
    for (let days = 0; days < 3; days += 1) await pass(24 * 60)
    expect(await charges()).toEqual(['paid'])
    expect(await balance()).toBe(2900)
  })

  test('stops when a slow bank does not pay in the end', async () => {
    await setUp('takes days')
    await spend()
    await check()
    world.bounce(await lastCharge())
    await deliver(...world.messages())
    expect(await charges()).toEqual(['failed'])
    expect(await balance()).toBe(900)
    expect(await shown()).toMatchObject({ isValid: true, isDisabled: true })
  })

  test('is active even if the set-up webhook was lost', async () => {
    await giveMoney(app, payer.walletId, 1500)
    const { providerId } = await beginMandate(app, payer)
    world.pay(providerId)
    world.messages()
    for (let minutes = 0; minutes < 60; minutes += 10) await pass(10)
    expect(await shown()).toMatchObject({ isValid: true })
  })

  test('charges once if the response was lost', async () => {
    await setUp()
    await spend()
    world.server.fail('lost', world.begins.charge, 1)
    await check()
    world.server.recover()
    await check()
    for (let minutes = 0; minutes < 60; minutes += 10) await pass(10)
    await deliver(...world.messages())
    expect((await charges()).filter((status) => status === 'paid')).toEqual(['paid'])
    expect(await balance()).toBe(2900)
  })

  test('that was revoked at the provider charges nothing, says so, and can be set up again', async () => {
    await setUp()
    world.revoke(await mandateId())
    app.clock.advance(day)
    await spend()
    await check()
    expect(await charges()).toEqual([])
    expect(await shown()).toMatchObject({ isValid: false, isDisabled: true })
    const { providerId } = await beginMandate(app, payer)
    world.pay(providerId)
    await deliver(...world.messages())
    expect(await shown()).toMatchObject({ isValid: true, isDisabled: false })
    expect(await balance()).toBe(2900)
  })

  test('is revoked at the provider when its owner ends it', async () => {
    await setUp()
    const id = await mandateId()
    const [customer] = await customersOf(app.database.db, payer.walletId)
    expect((await payer.call(`DELETE ${route}`)).status).toBe(200)
    await app.jobs.drain()
    expect(await world.provider.readMandate(id, customer?.id ?? null)).toBeUndefined()
    await spend()
    await check()
    expect(await charges()).toEqual([])
  })

  test('stops when a charge is disputed', async () => {
    await setUp()
    await spend()
    await check()
    world.chargeBack(await lastCharge(), 2000)
    await deliver(...world.messages())
    expect(await balance()).toBe(900)
    expect(await shown()).toMatchObject({ isDisabled: true })
    await pass(2 * 24 * 60)
    await check()
    expect(await charges()).toEqual(['paid'])
  })

  describe('when the provider has deleted the customer', () => {
    const customer = async () => (await customersOf(app.database.db, payer.walletId)).map(({ id }) => id)
    const replacements = () =>
      app.database.db
        .selectFrom('eventLog')
        .select('data')
        .where('objectId', '=', payer.user.id)
        .where('event', '=', 'payment.customer-replaced')
        .execute()

    test('one new customer replaces it, and the audit log says so', async () => {
      const first = await portal.begin(payer, 10)
      world.pay(first.providerId)
      await deliver(...world.messages())
      const [gone = ''] = await customer()
      world.deleteCustomer(gone)
      for (const amount of [11, 12]) {
        const payment = await portal.begin(payer, amount)
        world.pay(payment.providerId)
        await deliver(...world.messages())
      }
      const [now, ...others] = await customer()
      expect(others).toEqual([])
      expect(now).not.toBe(gone)
      expect((await replacements()).map(({ data }) => data)).toEqual([
        { provider: world.name, before: { customer: gone }, after: { customer: now } },
      ])
      expect(await balance()).toBe(3300)
    })

    test('two simultaneous payments create one new customer', async () => {
      await portal.begin(payer, 10)
      const [gone = ''] = await customer()
      world.deleteCustomer(gone)
      await Promise.all([payer.pay(11), payer.pay(12)])
      await app.jobs.drain()
      expect(await customer()).toHaveLength(1)
      expect(await replacements()).toHaveLength(1)
    })

    test('its mandate is lost too, and a new one belongs to the new customer', async () => {
      await setUp()
      const [gone = ''] = await customer()
      world.deleteCustomer(gone)
      app.clock.advance(day)
      await spend()
      await check()
      expect(await charges()).toEqual([])
      expect(await shown()).toMatchObject({ isValid: false, isDisabled: true })
      const { providerId } = await beginMandate(app, payer)
      world.pay(providerId)
      await deliver(...world.messages())
      expect(await shown()).toMatchObject({ isValid: true, isDisabled: false })
      await giveMoney(app, payer.walletId, 900 - (await balance()))
      app.clock.advance(2 * day)
      await check()
      await deliver(...world.messages())
      expect(await charges()).toEqual(['paid'])
    })
  })
})
