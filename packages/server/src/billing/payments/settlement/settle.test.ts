import { hasBit, userStatus } from '@gatehouse/contract/status'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { giveMoney } from '../../../testing/factories.ts'
import { balanceOf } from '../../../testing/payments/billing.ts'
import {
  type BegunPayment,
  makePayer,
  type Payer,
  sandboxOf,
  settleNow,
  statusOf,
} from '../../../testing/payments/sandbox.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { proportion } from '../proportion.ts'
import { nextLook } from './look-schedule.ts'

const app = useTestApp()
let payer: Payer
let payment: BegunPayment

beforeEach(async () => {
  payer = await makePayer(app())
  payment = await payer.pay(10)
})

afterEach(async () => {
  expect(await verifyLedger(app().database.db)).toEqual([])
})

const sandbox = () => sandboxOf(app())
const balance = () => balanceOf(app(), payer.walletId)
const reversals = () =>
  app()
    .database.db.selectFrom('payments')
    .selectAll()
    .where('refundOf', '=', payment.id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
const alarms = () =>
  app().database.db.selectFrom('paymentAlarms').selectAll().where('paymentId', '=', payment.id).execute()

describe('a payment', () => {
  test.each(['paid', 'failed', 'canceled', 'pending', 'expired'] as const)(
    'that became %s is so, and its money is there when it was paid',
    async (outcome) => {
      await sandbox().decide(payment.providerId, outcome)
      await app().jobs.drain()
      expect(await statusOf(app(), payment.id)).toBe(outcome)
      expect(await balance()).toBe(outcome === 'paid' ? 1000 : 0)
    },
  )

  test('is credited once, however often and whenever it is checked', async () => {
    await sandbox().decide(payment.providerId, 'paid')
    await Promise.all(Array.from({ length: 6 }, () => settleNow(app(), payment.id)))
    app().clock.advance(3600)
    await settleNow(app(), payment.id)
    await app().jobs.drain()
    expect(await balance()).toBe(1000)
    const entries = await app()
      .database.db.selectFrom('ledgerEntries')
      .select(['key', 'amount', 'parameters'])
      .where('walletId', '=', payer.walletId)
      .execute()
    expect(entries).toEqual([
      {
        key: `payment:${payment.id}`,
        amount: 1000,
        parameters: JSON.stringify({ payment: payment.id, method: 'Visa •••• 4242' }),
      },
    ])
  })

  test.each(['failed', 'expired', 'canceled'] as const)(
    'that was %s and is paid later is credited, once',
    async (first) => {
      await sandbox().decide(payment.providerId, first)
      await settleNow(app(), payment.id)
      await sandbox().force(payment.providerId, 'paid')
      await Promise.all([1, 2, 3].map(() => settleNow(app(), payment.id)))
      expect(await balance()).toBe(1000)
      expect(await statusOf(app(), payment.id)).toBe('paid')
    },
  )

  test('that was received stays received, whatever the provider reports later', async () => {
    await sandbox().decide(payment.providerId, 'paid')
    await settleNow(app(), payment.id)
    await sandbox().force(payment.providerId, 'failed')
    await settleNow(app(), payment.id)
    await sandbox().force(payment.providerId, 'paid')
    await settleNow(app(), payment.id)
    expect(await statusOf(app(), payment.id)).toBe('paid')
    expect(await balance()).toBe(1000)
  })

  test('received only in part credits the received amount', async () => {
    await app()
      .database.db.updateTable('sandboxPayments')
      .set({ amount: 750 })
      .where('id', '=', payment.providerId)
      .execute()
    await sandbox().decide(payment.providerId, 'paid')
    await settleNow(app(), payment.id)
    expect(await balance()).toBe(750)
  })

  test.each([{ currency: 'EUR' }, { payment_id: 'somebody-elses' }])(
    'of which the provider says %j brings nothing and calls for an operator',
    async (facts) => {
      await app()
        .database.db.updateTable('sandboxPayments')
        .set(facts)
        .where('id', '=', payment.providerId)
        .execute()
      await sandbox().decide(payment.providerId, 'paid')
      await settleNow(app(), payment.id)
      await settleNow(app(), payment.id)
      expect(await balance()).toBe(0)
      expect((await alarms()).map(({ kind }) => kind)).toEqual(['mismatch'])
    },
  )

  test('lost by the provider stays unchanged and raises an alarm', async () => {
    await app().database.db.deleteFrom('sandboxPayments').where('id', '=', payment.providerId).execute()
    await settleNow(app(), payment.id)
    expect(await statusOf(app(), payment.id)).toBe('open')
    expect((await alarms()).map(({ kind }) => kind)).toEqual(['lost'])
  })

  test('is confirmed to the payers by mail, once', async () => {
    const address = 'payer@elsewhere.test'
    const reader = await makePayer(app(), { settings: { external_email: address } })
    const { id, providerId } = await reader.pay(10)
    await sandbox().decide(providerId, 'paid')
    await settleNow(app(), id)
    await settleNow(app(), id)
    const mails = (await app().mails()).filter((mail) => mail.to.some((to) => to.address === address))
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/payment of CHF\s10\.00/)])
    expect(mails[0]?.text).toMatch(/balance is now CHF\s10\.00/)
  })

  test('unlocks the account that waited for it, and lifts its restrictions', async () => {
    const { restricted, active, imapReady } = userStatus
    const locked = await makePayer(app(), { status: restricted | imapReady })
    const { providerId, id } = await locked.pay(5)
    await sandbox().decide(providerId, 'paid')
    await settleNow(app(), id)
    const { status } = await app()
      .database.db.selectFrom('users')
      .select('status')
      .where('id', '=', locked.user.id)
      .executeTakeFirstOrThrow()
    expect(hasBit(status, active)).toBe(true)
    expect(hasBit(status, restricted)).toBe(false)
  })

  test('settles a debt', async () => {
    await giveMoney(app(), payer.walletId, -1000)
    await sandbox().decide(payment.providerId, 'paid')
    await app().jobs.drain()
    expect(await balance()).toBe(0)
    const debt = await app()
      .database.db.selectFrom('walletDebts')
      .select('walletId')
      .where('walletId', '=', payer.walletId)
      .execute()
    expect(debt).toEqual([])
  })

  test('that does not exist is ignored', async () => {
    expect(await settleNow(app(), 'nothing')).toBeUndefined()
  })
})

describe('reversals', () => {
  beforeEach(async () => {
    await sandbox().decide(payment.providerId, 'paid')
    await settleNow(app(), payment.id)
  })

  test('are booked once per refund and chargeback, whenever they are checked', async () => {
    await sandbox().refund(payment.providerId, 300, `a ${payment.id}`)
    await Promise.all([1, 2, 3].map(() => settleNow(app(), payment.id)))
    expect(await balance()).toBe(700)
    await sandbox().chargeBack(payment.providerId, 500)
    await Promise.all([1, 2, 3].map(() => settleNow(app(), payment.id)))
    await sandbox().refund(payment.providerId, 200, `b ${payment.id}`)
    await sandbox().refund(payment.providerId, 200, `b ${payment.id}`)
    await settleNow(app(), payment.id)
    expect(await balance()).toBe(0)
    expect((await reversals()).map(({ type, amount, status }) => ({ type, amount, status }))).toEqual([
      { type: 'refund', amount: -300, status: 'paid' },
      { type: 'chargeback', amount: -500, status: 'paid' },
      { type: 'refund', amount: -200, status: 'paid' },
    ])
    const { body } = await payer.call(`GET /api/v4/wallets/${payer.walletId}/transactions`)
    expect(body.list.map(({ type }: { type: string }) => type)).toEqual([
      'refund',
      'chback',
      'refund',
      'credit',
    ])
  })

  test('never exceed the payment; any excess is left to an operator', async () => {
    await sandbox().refund(payment.providerId, 400, `a ${payment.id}`)
    await app()
      .database.db.insertInto('sandboxReversals')
      .values({
        id: 'chb_all',
        paymentId: payment.providerId,
        type: 'chargeback',
        amount: 1000,
        createdAt: app().clock.now(),
      })
      .execute()
    await settleNow(app(), payment.id)
    await settleNow(app(), payment.id)
    expect(await balance()).toBe(0)
    expect((await alarms()).map(({ kind }) => kind)).toEqual(['over-reversed'])
  })

  test('that were undone are credited again, and may occur again', async () => {
    const dispute = await sandbox().chargeBack(payment.providerId, 1000)
    await settleNow(app(), payment.id)
    expect(await balance()).toBe(0)
    await sandbox().undoReversal(payment.providerId, dispute)
    await settleNow(app(), payment.id)
    await settleNow(app(), payment.id)
    expect(await balance()).toBe(1000)
    expect((await reversals()).reduce((sum, row) => sum + row.amount, 0)).toBe(0)
    await sandbox().chargeBack(payment.providerId, 1000, dispute.slice(4))
    await settleNow(app(), payment.id)
    expect(await balance()).toBe(0)
  })

  test('are found even if the payment itself was never seen', async () => {
    const other = await payer.pay(20)
    await sandbox().decide(other.providerId, 'paid')
    await sandbox().refund(other.providerId, 500, `early ${payment.id}`)
    await settleNow(app(), other.id)
    expect(await balance()).toBe(2500)
  })

  test('may leave a debt', async () => {
    await giveMoney(app(), payer.walletId, -800)
    await sandbox().chargeBack(payment.providerId, 1000)
    await app().jobs.drain()
    expect(await balance()).toBe(-800)
  })
})

describe('partial amounts', () => {
  test('are exact, then rounded half up', () => {
    expect(proportion(1000, 1, 3)).toBe(333)
    expect(proportion(1001, 1, 2)).toBe(501)
    expect(proportion(9_007_199_254_740_991, 1, 1)).toBe(9_007_199_254_740_991)
    expect(proportion(0, 5, 7)).toBe(0)
  })
})

describe('payment checks', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const facts = { type: 'oneoff', refundOf: null, updatedAt: now, paidAt: null } as const
  const minutes = (date: Date | null) => (date === null ? null : (date.getTime() - now.getTime()) / 60_000)

  test('become less frequent, but never end while the payment is pending', () => {
    const waits = [0, 1, 2, 7, 8, 100].map((looks) =>
      minutes(nextLook({ ...facts, status: 'open', looks }, now)),
    )
    expect(waits).toEqual([2, 5, 10, 240, 360, 360])
  })

  test.each([
    ['paid', 0, 1440],
    ['paid', 15, 7 * 1440],
    ['paid', 181, null],
    ['failed', 13, 1440],
    ['expired', 15, null],
  ] as const)('that is %s for %i days come after %j minutes', (status, days, wait) => {
    const since = new Date(now.getTime() - days * 86_400_000)
    const payment = {
      ...facts,
      status,
      looks: 0,
      updatedAt: since,
      paidAt: status === 'paid' ? since : null,
    }
    expect(minutes(nextLook(payment, now))).toBe(wait)
  })
})
