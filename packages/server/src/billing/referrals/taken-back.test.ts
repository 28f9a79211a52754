import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { giveMoney, makeUser, signInAs } from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { makePayer, type Payer, sandboxOf, settleNow } from '../../testing/payments/sandbox.ts'
import { makeProgram } from '../../testing/signup/signup-ways.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { insertReferral } from './referral-store.ts'

const app = useTestApp()
let program: string
/** The referrer. */
let friend: Awaited<ReturnType<typeof makeUser>>
let newcomer: Payer

beforeAll(async () => {
  program = await makeProgram(app(), { award: 700, threshold: 1000 })
})
beforeEach(async () => {
  friend = await makeUser(app(), { plan: null })
  newcomer = await makePayer(app())
  const { access_token: token } = await signInAs(app(), friend)
  const { body } = await app().call(`GET /api/v4/wallets/${friend.walletId}/referral-programs`, { token })
  const code = body.list
    .find(({ id }: { id: string }) => id === program)
    .url.split('/')
    .at(-1)
  await insertReferral(app().database.db, code, newcomer.user.id, app().clock.now())
})

const award = () => balanceOf(app(), friend.walletId)

/** A received payment of the referred customer; returns its IDs. */
async function pay(amount: number) {
  const payment = await newcomer.pay(amount)
  await sandboxOf(app()).decide(payment.providerId, 'paid')
  await app().jobs.drain()
  return payment
}

let refunds = 0
async function refund({ id, providerId }: { id: string; providerId: string }, cents: number) {
  await sandboxOf(app()).refund(providerId, cents, `refund-${++refunds}`)
  await settleNow(app(), id)
}

async function taken() {
  const rows = await app()
    .database.db.selectFrom('eventLog')
    .select('data')
    .where('event', '=', 'wallet.award-taken-back')
    .where('objectId', '=', friend.id)
    .orderBy('createdAt')
    .execute()
  return rows.map(({ data }) => data)
}

describe('the award of a referral', () => {
  test.each(['refund', 'chargeback'] as const)(
    'goes back with the %s of the payment it was for',
    async (kind) => {
      const payment = await pay(10)
      expect(await award()).toBe(700)
      if (kind === 'refund') await refund(payment, 1000)
      else {
        await sandboxOf(app()).chargeBack(payment.providerId, 1000)
        await settleNow(app(), payment.id)
      }
      await settleNow(app(), payment.id)
      expect(await award()).toBe(0)
      expect(await taken()).toEqual([{ award: 700, taken: 700 }])
      const { access_token: token } = await signInAs(app(), friend)
      const { body } = await app().call(`GET /api/v4/wallets/${friend.walletId}/transactions`, { token })
      expect(body.list[0]).toMatchObject({
        type: 'penalty',
        amount: -700,
        description: expect.stringMatching(
          /^Bonus from the referral programme “.+” withdrawn because its payment/,
        ),
      })
      expect(await verifyLedger(app().database.db)).toEqual([])
    },
  )

  test('stays if the remaining payments are sufficient', async () => {
    const payment = await pay(30)
    await refund(payment, 2000)
    expect(await award()).toBe(700)
    await refund(payment, 1)
    expect(await award()).toBe(0)
    await refund(payment, 500)
    expect(await award()).toBe(0)
    expect(await taken()).toHaveLength(1)
  })

  test('is earned again, once each time, when the referred customer pays after all', async () => {
    await refund(await pay(10), 1000)
    expect(await award()).toBe(0)
    const second = await pay(10)
    expect(await award()).toBe(700)
    await pay(10)
    expect(await award()).toBe(700)
    await refund(second, 1000)
    // the third payment is sufficient
    expect(await award()).toBe(700)
    expect(await verifyLedger(app().database.db)).toEqual([])
  })

  test('is restored when a dispute is won', async () => {
    const payment = await pay(10)
    const dispute = await sandboxOf(app()).chargeBack(payment.providerId, 1000)
    await settleNow(app(), payment.id)
    expect(await award()).toBe(0)
    await sandboxOf(app()).undoReversal(payment.providerId, dispute)
    await settleNow(app(), payment.id)
    expect(await award()).toBe(700)
  })

  test("that is spent causes no debt and can't be earned again", async () => {
    const payment = await pay(10)
    await giveMoney(app(), friend.walletId, -500)
    await refund(payment, 1000)
    expect(await award()).toBe(0)
    expect(await taken()).toEqual([{ award: 700, taken: 200 }])
    for (let times = 0; times < 2; times += 1) await refund(await pay(10), 1000)
    expect(await award()).toBe(0)
    expect(await taken()).toHaveLength(1)
  })

  test('of a referrer in debt is not taken back', async () => {
    const payment = await pay(10)
    await giveMoney(app(), friend.walletId, -900)
    await refund(payment, 1000)
    expect(await award()).toBe(-200)
    expect(await taken()).toEqual([{ award: 700, taken: 0 }])
  })

  test('is taken back once for concurrent refunds', async () => {
    const payments = [await pay(10), await pay(10), await pay(10)]
    for (const { providerId } of payments) await sandboxOf(app()).refund(providerId, 1000, providerId)
    await Promise.all([...payments, ...payments].map(({ id }) => settleNow(app(), id)))
    expect(await award()).toBe(0)
    expect(await taken()).toEqual([{ award: 700, taken: 700 }])
  })
})
