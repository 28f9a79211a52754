import { formatPrice } from '@gatehouse/contract/billing/price'
import { userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import { day, minute } from '../../platform/clock.ts'
import { giveMoney, makeDiscount, setStatus } from '../../testing/factories.ts'
import { autoPaymentDesk, ready } from '../../testing/payments/auto-payment-desk.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { checkWalletNow, makeMandate, sandboxCharges } from '../../testing/payments/mandates.ts'
import { sandboxOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { chargeJob } from '../billing-jobs.ts'
import { verifyLedger } from '../ledger/verify.ts'

const app = useTestApp()
const route = '/api/v4/payments/mandate'
const { makeReader, mandateOf, statuses, subjects, lastCharge, withoutAnswer } = autoPaymentDesk(app)

describe('a wallet below its threshold', () => {
  test('is charged in the next run, its owner notified, and not charged again', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
    expect(await subjects(payer.user.email)).toEqual([
      `Auto-payment of ${formatPrice(2000, 'CHF', 'en')} for Gatehouse succeeded`,
    ])
    expect(await verifyLedger(app().database.db)).toEqual([])
  })

  test('is found by the scheduled job', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await app().jobs.enqueue(app().database.db, chargeJob, {})
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['paid'])
  })

  test('is not charged exactly at the threshold', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -500)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
  })

  test('is charged once while the bank is slow, and credited afterwards', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    for (let days = 0; days < 4; days++) {
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(day)
    }
    expect(await statuses(payer)).toEqual(['pending'])
    expect(await balanceOf(app(), payer.walletId)).toBe(900)
    await sandboxOf(app()).decide(await lastCharge(payer), 'paid')
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('is not charged after a late failure until its owner acts', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await sandboxOf(app()).decide(await lastCharge(payer), 'failed')
    await app().jobs.drain()
    app().clock.advance(2 * day)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed'])
    expect(await mandateOf(payer)).toMatchObject({
      isValid: true,
      isDisabled: true,
      notice: expect.stringContaining('auto-payment has been disabled'),
    })
    expect(await subjects(payer.user.email)).toEqual(['An auto-payment for Gatehouse failed'])
  })

  test('is charged once if the card is declined, and its owner notified once', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'broke' })
    await giveMoney(app(), payer.walletId, -600)
    for (let looks = 0; looks < 3; looks++) {
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(day)
    }
    expect(await statuses(payer)).toEqual(['failed'])
    expect(await sandboxCharges(app(), payer.walletId)).toHaveLength(1)
    expect(await subjects(payer.user.email)).toEqual(['An auto-payment for Gatehouse failed'])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
  })

  test("is charged to the new card after a late failure of the previous one's charge", async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    app().clock.advance(minute)
    const second = await makeMandate(app(), payer)
    await sandboxOf(app()).decide(await lastCharge(payer), 'failed')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ id: second, isValid: true, isDisabled: false })
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed', 'paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
  })

  test('is not charged after a charge has expired at the provider, and its owner is notified', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await sandboxOf(app()).decide(await lastCharge(payer), 'expired')
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['expired'])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
    expect(await subjects(payer.user.email)).toEqual(['An auto-payment for Gatehouse failed'])
  })

  test('is credited once if a failed charge is paid after all, and auto-payment resumes', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'slow' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    const charge = await lastCharge(payer)
    await sandboxOf(app()).decide(charge, 'failed')
    await app().jobs.drain()
    await sandboxOf(app()).force(charge, 'paid')
    await app().jobs.drain()
    await sandboxOf(app()).force(charge, 'paid')
    await app().jobs.drain()
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test("resumes automatically after a manual payment of what the card couldn't pay", async () => {
    const payer = await makeReader(-500)
    await giveMoney(app(), payer.walletId, 500)
    await makeMandate(app(), payer, { card: 'broke', balance: 0 })
    await giveMoney(app(), payer.walletId, -300)
    await checkWalletNow(app(), payer.walletId)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
    const { providerId } = await payer.pay(10)
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('is not charged again after a disputed charge, and its owner is notified', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    await sandboxOf(app()).chargeBack(await lastCharge(payer), 2000)
    await app().jobs.drain()
    expect(await balanceOf(app(), payer.walletId)).toBe(900)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
    app().clock.advance(2 * day)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await subjects(payer.user.email)).toContain(
      'An auto-payment for your Gatehouse account was charged back',
    )
  })

  test('is charged again after its owner has reviewed it', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'broke' })
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    const { db } = app().database
    const { id } = await mandateOf(payer)
    await db.updateTable('sandboxMandates').set({ outcome: 'paid' }).where('id', '=', id).execute()
    const put = await payer.call(`PUT ${route}`, { amount: 20, balance: 10 })
    expect([put.status, put.body.isDisabled]).toEqual([200, false])
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['failed', 'paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(2900)
  })

  test.each([
    ['suspended', ready | userStatus.suspended, 0],
    ['free', ready, 100],
  ] as const)('of a %s account is not charged', async (_what, status, discount) => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await setStatus(app(), payer.user, status)
    const { db } = app().database
    if (discount > 0) {
      const id = await makeDiscount(app(), { discount })
      await db.updateTable('wallets').set({ discountId: id }).where('id', '=', payer.walletId).execute()
    }
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('is unchanged without a mandate', async () => {
    const payer = await makeReader(-600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('waits during a provider outage and is charged once afterwards', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await withoutAnswer(['chargeMandate', 'findPayment', 'readPayment', 'readMandate'], () =>
      checkWalletNow(app(), payer.walletId),
    )
    expect(await statuses(payer)).toEqual(['open'])
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await sandboxCharges(app(), payer.walletId)).toHaveLength(1)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })

  test('is not penalised for an outage of several hours', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -600)
    await withoutAnswer(['chargeMandate'], async () => {
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(2 * 60 * minute)
      await checkWalletNow(app(), payer.walletId)
    })
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
    app().clock.advance(2 * 60 * minute)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect((await statuses(payer)).filter((status) => status === 'paid')).toEqual(['paid'])
    expect(await subjects(payer.user.email)).toEqual([
      `Auto-payment of ${formatPrice(2000, 'CHF', 'en')} for Gatehouse succeeded`,
    ])
  })
})

describe('the ceiling of an account', () => {
  test('delays a second monthly top-up that would exceed it', async () => {
    const payer = await makeReader(1500)
    await payer.call(`PUT /api/v4/wallets/${payer.walletId}/settings`, { monthly_ceiling: 3000 })
    await makeMandate(app(), payer)
    for (let times = 0; times < 3; times++) {
      await giveMoney(app(), payer.walletId, 0 - (await balanceOf(app(), payer.walletId)) + 500)
      await checkWalletNow(app(), payer.walletId)
      app().clock.advance(2 * day)
    }
    expect(await statuses(payer)).toEqual(['paid'])
    app().clock.advance(30 * day)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['paid', 'paid'])
  })
})
