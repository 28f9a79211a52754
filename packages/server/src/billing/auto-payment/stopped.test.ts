import { hasBit, userStatus } from '@gatehouse/contract/status'
import { describe, expect, test } from 'vitest'
import { day, minute } from '../../platform/clock.ts'
import { giveMoney, makeController, makeUser } from '../../testing/factories.ts'
import { autoPaymentDesk, ready } from '../../testing/payments/auto-payment-desk.ts'
import { balanceOf, makeUnits } from '../../testing/payments/billing.ts'
import { checkWalletNow, makeMandate } from '../../testing/payments/mandates.ts'
import { sandboxOf, settleNow } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { bookMoney } from '../book.ts'

const app = useTestApp()
const route = '/api/v4/payments/mandate'
const db = () => app().database.db
const { makeReader, mandateOf, statuses, subjects } = autoPaymentDesk(app)

describe('a debt larger than the amount', () => {
  test('stops auto-payment and mails everyone who pays, in their own language; raising the amount pays it', async () => {
    const payer = await makeReader(1500)
    const controller = await makeUser(app(), { walletId: payer.walletId, status: ready })
    await makeController(app(), controller, payer.walletId)
    const createdAt = app().clock.now()
    await makeUnits(app(), payer.walletId, [{ cost: 0, createdAt, objectId: controller.id }])
    const { db } = app().database
    await db.updateTable('users').set({ language: 'fr' }).where('id', '=', controller.id).execute()
    await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -4000)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({
      isValid: true,
      isDisabled: true,
      minAmount: 25,
      notice:
        'The configured auto-payment has been disabled. Top up your wallet or raise the auto-payment amount.',
    })
    expect(await subjects(payer.user.email)).toEqual(['Auto-payment for your Gatehouse account is off'])
    expect(await subjects(controller.email)).toEqual([
      'Le paiement automatique de votre compte Gatehouse est désactivé',
    ])
    expect((await payer.call(`PUT ${route}`, { amount: 20, balance: 10 })).status).toBe(422)
    expect((await payer.call(`PUT ${route}`, { amount: 25, balance: 10 })).status).toBe(200)
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['paid'])
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: false })
  })
})

test('resumes auto-payment and removes the notice once another payment settles it', async () => {
  const payer = await makeReader(1500)
  await makeMandate(app(), payer)
  await giveMoney(app(), payer.walletId, -4000)
  await checkWalletNow(app(), payer.walletId)
  expect(await mandateOf(payer)).toMatchObject({ isDisabled: true, notice: expect.any(String) })
  const { walletId } = payer
  await db()
    .transaction()
    .execute((trx) =>
      bookMoney(trx, app().payments.payments, {
        ...{ walletId, type: 'award', amount: 2650 },
        ...{ key: 'bonus', text: 'award' },
      }),
    )
  const mandate = await mandateOf(payer)
  expect(mandate).toMatchObject({ isDisabled: false })
  expect(mandate.notice).toBeUndefined()
})

describe('a bonus that settles the debt', () => {
  const bonus = (walletId: string, amount: number) =>
    db()
      .transaction()
      .execute((trx) =>
        bookMoney(trx, app().payments.payments, {
          ...{ walletId, type: 'award', amount },
          ...{ key: `bonus:${walletId}:${amount}`, text: 'award' },
        }),
      )

  test('resumes auto-payment after a declined card', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'broke', balance: 0 })
    await giveMoney(app(), payer.walletId, -2500)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed'])
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true, notice: expect.any(String) })
    await bonus(payer.walletId, 900)
    expect(await mandateOf(payer)).toMatchObject({ isDisabled: true })
    await bonus(payer.walletId, 100)
    expect(await balanceOf(app(), payer.walletId)).toBe(0)
    const mandate = await mandateOf(payer)
    expect(mandate).toMatchObject({ isValid: true, isDisabled: false })
    expect(mandate.notice).toBeUndefined()
  })

  test('does not revive a removed mandate', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await giveMoney(app(), payer.walletId, -4000)
    await checkWalletNow(app(), payer.walletId)
    await sandboxOf(app()).revokeMandate(id)
    app().clock.advance(11 * minute)
    await payer.call(`GET ${route}`)
    await app().jobs.drain()
    const gone = 'The saved payment method can no longer be charged. Set up auto-payment again.'
    expect(await mandateOf(payer)).toMatchObject({ isValid: false, notice: gone })
    await bonus(payer.walletId, 4000)
    expect(await mandateOf(payer)).toMatchObject({ isValid: false, isDisabled: true, notice: gone })
  })
})

test('a failed set-up is reported until the next one starts', async () => {
  const payer = await makeReader(1500)
  const begin = async () => (await payer.call(`POST ${route}`, { amount: 20, balance: 10 })).body
  const { id } = await begin()
  const { providerId } = await db()
    .selectFrom('payments')
    .select('providerId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await sandboxOf(app()).decide(providerId ?? '', 'failed')
  await settleNow(app(), id)
  expect((await mandateOf(payer)).notice).toBe(
    'The setup of automatic payments failed. Restart the process to enable automatic top-ups.',
  )
  await begin()
  expect((await mandateOf(payer)).notice).toBeUndefined()
})

describe('a mandate revoked at the provider', () => {
  test('is detected before a charge, charges nothing, and its owner is notified once', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await sandboxOf(app()).revokeMandate(id)
    await giveMoney(app(), payer.walletId, -600)
    app().clock.advance(11 * minute)
    await checkWalletNow(app(), payer.walletId)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual([])
    expect(await mandateOf(payer)).toMatchObject({
      id,
      isValid: false,
      isPending: false,
      isDisabled: true,
      notice: 'The saved payment method can no longer be charged. Set up auto-payment again.',
    })
    expect(await subjects(payer.user.email)).toEqual(['Auto-payment for your Gatehouse account is off'])
  })

  test('just before a charge is a failed charge', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await sandboxOf(app()).revokeMandate(id)
    await giveMoney(app(), payer.walletId, -600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed'])
    expect(await mandateOf(payer)).toMatchObject({ isValid: false, isDisabled: true })
    expect(await subjects(payer.user.email)).toEqual(['An auto-payment for Gatehouse failed'])
  })

  test('is replaced by a new set-up', async () => {
    const payer = await makeReader(1500)
    const id = await makeMandate(app(), payer)
    await sandboxOf(app()).revokeMandate(id)
    app().clock.advance(11 * minute)
    await payer.call(`GET ${route}`)
    await app().jobs.drain()
    expect(await mandateOf(payer)).toMatchObject({ isValid: false, isDisabled: true })
    const second = await makeMandate(app(), payer)
    expect(await mandateOf(payer)).toMatchObject({ id: second, isValid: true, isDisabled: false })
  })
})

describe('a degraded account', () => {
  test('is fully restored by the payment that its owner enables', async () => {
    const payer = await makeReader(1500)
    await makeMandate(app(), payer, { card: 'broke', balance: 0 })
    await giveMoney(app(), payer.walletId, -1600)
    await checkWalletNow(app(), payer.walletId)
    expect(await statuses(payer)).toEqual(['failed'])
    app().clock.advance(15 * day)
    await checkWalletNow(app(), payer.walletId)
    const isDegraded = async () => {
      const row = await app()
        .database.db.selectFrom('users')
        .select('status')
        .where('id', '=', payer.user.id)
        .executeTakeFirstOrThrow()
      return hasBit(row.status, userStatus.degraded)
    }
    expect(await isDegraded()).toBe(true)
    const { id } = await mandateOf(payer)
    const { db } = app().database
    await db.updateTable('sandboxMandates').set({ outcome: 'paid' }).where('id', '=', id).execute()
    expect((await payer.call(`PUT ${route}`, { amount: 20, balance: 0 })).status).toBe(200)
    await app().jobs.drain()
    expect(await statuses(payer)).toEqual(['failed', 'paid'])
    expect(await isDegraded()).toBe(false)
  })
})
