import { beforeAll, describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { giveMoney, makeUser, signInAs } from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { chargesOf, checkWalletNow, makeMandate } from '../../testing/payments/mandates.ts'
import { makePayer, sandboxOf } from '../../testing/payments/sandbox.ts'
import { type TestApp, useTestApp } from '../../testing/test-app.ts'
import { issueReceiptsOf } from '../receipts/issue-receipts.ts'
import { readReceipts } from '../receipts/receipt-store.ts'
import { setVatRates } from '../vat/vat-store.ts'

const company = { service: 'Gatehouse', name: 'Gatehouse AG', address: [], details: [], email: null }

/** The line for a payment on this month's receipt. */
async function receiptLine(app: TestApp, walletId: string, paymentId: string) {
  const { db } = app.database
  const period = app.clock.now().toISOString().slice(0, 7)
  app.clock.advance(32 * day)
  await issueReceiptsOf({ db, clock: app.clock, company }, walletId)
  const receipts = await readReceipts(db, walletId, period)
  return receipts.flatMap(({ lines }) => lines).find((line) => line.paymentId === paymentId)
}

describe.each([
  ['is in the price', '0', 'included'],
  ['comes on top', '1', 'on-top'],
] as const)('VAT that %s', (_, VAT_MODE, mode) => {
  const app = useTestApp({ VAT_MODE })

  beforeAll(() => setVatRates(app().database.db, '2024-01-01', new Map([['CH', 810]])))

  test.each([
    ['1', 100],
    ['12.34', 1234],
    ['999,99', 99_999],
  ])('is shown before %s are paid as they are charged, and as the receipt says', async (amount, cents) => {
    const payer = await makePayer(app())
    const { body } = await payer.call('GET /api/v4/payments/methods?type=oneoff')
    const [card] = body
    expect(card).toMatchObject({ id: 'creditcard', vat: { rate: 810, mode } })
    const shown = (await payer.call('POST /api/v4/payments/preview', { action: 'pay', amount })).body.charge
    const { id, providerId } = await payer.pay(amount)
    expect((await sandboxOf(app()).readPayment(providerId))?.amount).toBe(shown.gross)
    await sandboxOf(app()).decide(providerId, 'paid')
    await app().jobs.drain()
    expect(await balanceOf(app(), payer.walletId)).toBe(cents)
    const { net, vat, gross } = shown
    expect(await receiptLine(app(), payer.walletId, id)).toMatchObject({ net, vat, gross, rate: 810 })
  })

  test('is shown with auto-payment as charged by each top-up', async () => {
    const payer = await makePayer(app())
    await giveMoney(app(), payer.walletId, 5000)
    await makeMandate(app(), payer, { amount: 33.33, balance: 10 })
    const { body } = await payer.call('GET /api/v4/payments/mandate')
    expect(body.vat).toEqual({ rate: 810, mode })
    const wish = { action: 'change', amount: 33.33, balance: 10 }
    const preview = await payer.call('POST /api/v4/payments/preview', wish)
    await giveMoney(app(), payer.walletId, -4500)
    await checkWalletNow(app(), payer.walletId)
    const [charge] = await chargesOf(app(), payer.walletId)
    expect(charge).toMatchObject({ status: 'paid', amount: preview.body.charge.gross })
    expect(await balanceOf(app(), payer.walletId)).toBe(500 + 3333)
  })

  test('is not shown if none applies', async () => {
    const user = await makeUser(app(), { plan: null, settings: { country: 'LI' } })
    const token = (await signInAs(app(), user)).access_token
    const methods = await app().call('GET /api/v4/payments/methods?type=oneoff', { token })
    const mandate = await app().call('GET /api/v4/payments/mandate', { token })
    for (const shown of [methods.body[0], mandate.body]) expect(shown).not.toHaveProperty('vat')
  })
})
