import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeUser, makeUser } from '../../testing/factories.ts'
import { makePayment } from '../../testing/payments/payments.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { setVatRates, vatRateOf } from '../vat/vat-store.ts'
import { companyLines, issueReceipts, issueReceiptsOf, type ReceiptParts } from './issue-receipts.ts'
import { listPeriods, readReceipts, takeNumber } from './receipt-store.ts'

const app = useTestApp()

const moveTo = (moment: string) =>
  app().clock.advance((Date.parse(moment) - app().clock.now().getTime()) / 1000)

let user: MadeUser
beforeEach(async () => {
  moveTo('2026-03-10T12:00:00Z')
  user = await makeUser(app(), {
    settings: { first_name: 'Ada', last_name: 'King', billing_address: 'Way 1\r\n\r\nTown', country: 'CH' },
  })
})

const parts = (): ReceiptParts => ({
  db: app().database.db,
  clock: app().clock,
  company: { service: 'Gatehouse', name: 'Gatehouse AG', address: ['Lane 2'], details: [], email: null },
})

const documents = (period: string) => readReceipts(app().database.db, user.walletId, period)

const numbers = async () => {
  const rows = await app().database.db.selectFrom('receipts').select('number').orderBy('number').execute()
  return rows.map((row) => row.number)
}

describe('a past month', () => {
  test('gets one receipt for all its payments, with the current company and customer data', async () => {
    const first = await makePayment(app(), user.walletId, { amount: 1234, paidAt: '2026-02-01T00:00:00Z' })
    const second = await makePayment(app(), user.walletId, { amount: 100, paidAt: '2026-02-28T23:59:59Z' })
    expect(await issueReceiptsOf(parts(), user.walletId)).toBe(1)
    const [facts] = await documents('2026-02')
    expect(facts).toMatchObject({
      kind: 'receipt',
      issuedOn: '2026-03-10',
      currency: 'CHF',
      company: { name: 'Gatehouse AG', address: ['Lane 2'] },
      customer: { number: user.id, name: 'Ada King', address: ['Way 1', 'Town'], country: 'CH' },
      total: { net: 1334, vat: 0, gross: 1334 },
    })
    expect(facts?.lines.map((line) => line.paymentId)).toEqual([first, second])
  })

  test('keeps its receipt when the customer moves', async () => {
    await makePayment(app(), user.walletId, { amount: 1000, paidAt: '2026-02-05T00:00:00Z' })
    await issueReceiptsOf(parts(), user.walletId)
    const before = await documents('2026-02')
    await app()
      .database.db.updateTable('userSettings')
      .set({ value: 'Elsewhere 9' })
      .where('userId', '=', user.id)
      .where('key', '=', 'billing_address')
      .execute()
    await issueReceiptsOf(parts(), user.walletId)
    expect(await documents('2026-02')).toEqual(before)
  })

  test('without payments gets none, and the current month waits', async () => {
    await makePayment(app(), user.walletId, { amount: 1000, paidAt: '2026-03-01T00:00:00Z' })
    await makePayment(app(), user.walletId, { amount: 0, type: 'mandate', paidAt: '2026-02-01T00:00:00Z' })
    await makePayment(app(), user.walletId, { amount: 500, paidAt: null })
    expect(await issueReceiptsOf(parts(), user.walletId)).toBe(0)
    moveTo('2026-04-01T00:00:00Z')
    expect(await issueReceiptsOf(parts(), user.walletId)).toBe(1)
    expect((await documents('2026-03'))[0]?.total.gross).toBe(1000)
  })

  test('lists its reversals on a credit note that refers to the receipt', async () => {
    const paid = await makePayment(app(), user.walletId, { amount: 2000, paidAt: '2026-02-03T00:00:00Z' })
    await makePayment(app(), user.walletId, {
      amount: -500,
      type: 'refund',
      refundOf: paid,
      paidAt: '2026-02-20T00:00:00Z',
    })
    expect(await issueReceiptsOf(parts(), user.walletId)).toBe(2)
    const [receipt, note] = await documents('2026-02')
    expect(receipt?.total.gross).toBe(2000)
    expect(note).toMatchObject({
      kind: 'credit-note',
      lines: [{ kind: 'refund', refersTo: receipt?.number, gross: -500 }],
      total: { gross: -500 },
    })
    const [month] = await listPeriods(app().database.db, user.walletId, { limit: 10, offset: 0 })
    expect(month).toEqual({
      period: '2026-02',
      currency: 'CHF',
      amount: 1500,
      documents: [
        { number: receipt?.number, kind: 'receipt', amount: 2000 },
        { number: note?.number, kind: 'credit-note', amount: -500 },
      ],
    })
  })

  test('excludes payments stored late, which are on the next receipt', async () => {
    await makePayment(app(), user.walletId, { amount: 1000, paidAt: '2026-01-05T00:00:00Z' })
    await issueReceiptsOf(parts(), user.walletId)
    const late = await makePayment(app(), user.walletId, { amount: 700, paidAt: '2026-01-31T00:00:00Z' })
    expect(await issueReceiptsOf(parts(), user.walletId)).toBe(1)
    expect((await documents('2026-01'))[0]?.total.gross).toBe(1000)
    expect((await documents('2026-02'))[0]?.lines).toMatchObject([{ paymentId: late, date: '2026-01-31' }])
  })
})

describe('VAT', () => {
  test('is shown per line and per rate, included or added', async () => {
    const { db } = app().database
    await setVatRates(db, '2018-01-01', new Map([['CH', 770]]))
    await setVatRates(db, '2024-01-01', new Map([['CH', 810]]))
    const rate = async (day: string) => (await vatRateOf(db, 'CH', new Date(day)))?.id ?? ''
    const paidAt = '2026-02-02T00:00:00Z'
    await makePayment(app(), user.walletId, { amount: 1234, vatRateId: await rate('2020-01-01'), paidAt })
    await makePayment(app(), user.walletId, {
      amount: 1081,
      creditAmount: 1000,
      vatRateId: await rate('2026-01-01'),
      paidAt,
    })
    await makePayment(app(), user.walletId, { amount: 300, paidAt })
    await issueReceiptsOf(parts(), user.walletId)
    const [facts] = await documents('2026-02')
    expect(facts?.rates).toEqual([
      { rate: null, net: 300, vat: 0, gross: 300 },
      { rate: 770, net: 1146, vat: 88, gross: 1234 },
      { rate: 810, net: 1000, vat: 81, gross: 1081 },
    ])
    expect(facts?.total).toEqual({ net: 2446, vat: 169, gross: 2615 })
  })
})

describe('numbers', () => {
  test('are unique and without gaps, also with concurrent and failed runs', async () => {
    await app().database.db.deleteFrom('payments').where('receiptId', 'is', null).execute()
    const before = (await numbers()).length
    const users = await Promise.all(Array.from({ length: 12 }, () => makeUser(app())))
    for (const { walletId } of users) {
      await makePayment(app(), walletId, { amount: 100, paidAt: '2026-02-11T00:00:00Z' })
    }
    await expect(
      app()
        .database.db.transaction()
        .execute(async (trx) => {
          await takeNumber(trx, 0, 'R2026')
          throw new Error('power cut')
        }),
    ).rejects.toThrow('power cut')
    const issued = await Promise.all([issueReceipts(parts()), issueReceipts(parts()), issueReceipts(parts())])
    expect(issued.reduce((sum, count) => sum + count)).toBe(12)
    const all = await numbers()
    expect(all).toHaveLength(before + 12)
    const receipts = all.filter((number) => number.startsWith('R2026-'))
    expect(receipts).toEqual(receipts.map((_, index) => `R2026-${String(index + 1).padStart(6, '0')}`))
  })
})

test('a receipt and the payments on it are immutable', async () => {
  const id = await makePayment(app(), user.walletId, { amount: 1000, paidAt: '2026-02-05T00:00:00Z' })
  await issueReceiptsOf(parts(), user.walletId)
  const { db } = app().database
  await expect(db.updateTable('payments').set({ amount: 1 }).where('id', '=', id).execute()).rejects.toThrow(
    'stands on a receipt',
  )
  await expect(db.deleteFrom('payments').where('id', '=', id).execute()).rejects.toThrow(
    'stands on a receipt',
  )
  await expect(db.updateTable('receipts').set({ number: 'X' }).execute()).rejects.toThrow('never changed')
  await expect(db.deleteFrom('receipts').execute()).rejects.toThrow('never changed')
})

test('a multi-line setting is split into lines', () => {
  expect(companyLines(' Lane 2 | | 8000 Town\nLand ')).toEqual(['Lane 2', '8000 Town', 'Land'])
  expect(companyLines(undefined)).toEqual([])
})
