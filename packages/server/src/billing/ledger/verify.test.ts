import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { makeTenant, makeUser } from '../../testing/factories.ts'
import { makeUnits, setTenantWallet } from '../../testing/payments/billing.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { chargeWallet } from '../charging/charge.ts'
import { insertPayment } from '../payments/payment-store.ts'
import { post } from './post.ts'
import { findProblems } from './verify.ts'

const app = useTestApp()

class Seen extends Error {
  readonly checks: readonly string[]

  constructor(checks: readonly string[]) {
    super()
    this.checks = checks
  }
}

/**
 * Returns the findings after a change that is then rolled back; `isBehind` disables triggers for the change.
 */
async function found(work: (trx: Db) => Promise<unknown>, isBehind = false): Promise<readonly string[]> {
  try {
    return await app()
      .database.db.transaction()
      .execute(async (trx) => {
        if (isBehind) await sql`set local session_replication_role = replica`.execute(trx)
        await work(trx)
        await sql`set local session_replication_role = default`.execute(trx)
        throw new Seen((await findProblems(trx)).map(({ check }) => check))
      })
  } catch (error) {
    if (error instanceof Seen) return error.checks
    throw error
  }
}

const pay = (trx: Db, walletId: string, facts: { id: string; amount: number; refundOf?: string }) =>
  insertPayment(trx, {
    id: facts.id,
    walletId,
    type: facts.refundOf === undefined ? 'oneoff' : 'refund',
    status: 'paid',
    provider: 'sandbox',
    amount: facts.amount,
    creditAmount: facts.amount,
    currency: 'CHF',
    vatRateId: null,
    refundOf: facts.refundOf ?? null,
    createdAt: app().clock.now(),
    paidAt: app().clock.now(),
  })

const book = (trx: Db, walletId: string, key: string, amount: number, type: 'credit' | 'refund' = 'credit') =>
  post(trx, app().clock, { walletId, type, amount, key, text: type === 'credit' ? 'payment' : 'refund' })

test("a paid payment has one credit with the wallet's amount, and a credit has its payment", async () => {
  const { walletId } = await makeUser(app())
  const differ = ['payment and its credit differ']
  const facts = { id: 'tr_one', amount: 700 }
  expect(await found((trx) => pay(trx, walletId, facts))).toEqual(differ)
  expect(await found((trx) => book(trx, walletId, 'payment:tr_one', 700))).toEqual(differ)
  const both = (amount: number) => async (trx: Db) => {
    await pay(trx, walletId, facts)
    await book(trx, walletId, 'payment:tr_one', amount)
  }
  expect(await found(both(700))).toEqual([])
  expect(await found(both(699))).toEqual(differ)
})

test("a refund or chargeback is booked once, under any of the provider's names", async () => {
  const { walletId } = await makeUser(app())
  const refunded = (keys: readonly string[]) => async (trx: Db) => {
    await pay(trx, walletId, { id: 'tr_back', amount: 700 })
    await book(trx, walletId, 'payment:tr_back', 700)
    await pay(trx, walletId, { id: 're_back', amount: -200, refundOf: 'tr_back' })
    for (const key of keys) await book(trx, walletId, key, 200, 'refund')
  }
  expect(await found(refunded(['payment:sandbox:re_back']))).toEqual([])
  const differs = ['refunds and chargebacks differ from what was booked']
  expect(await found(refunded([]))).toEqual(differs)
  expect(await found(refunded(['payment:sandbox:re_back', 'payment:re_back']))).toEqual(differs)
})

test('a receipt is the sum of its payments', async () => {
  const { walletId } = await makeUser(app())
  const receipt = (amount: number) => async (trx: Db) => {
    const id = newUuid()
    await sql`insert into receipts (id, tenant_id, wallet_id, kind, number, period, currency, amount, facts, issued_at)
      values (${id}, 0, ${walletId}, 'receipt', 'R-1', '2026-02', 'CHF', ${amount}, '{}', now())`.execute(trx)
    for (const payment of ['tr_a', 'tr_b']) {
      await pay(trx, walletId, { id: payment, amount: 350 })
      await book(trx, walletId, `payment:${payment}`, 350)
      await trx.updateTable('payments').set({ receiptId: id }).where('id', '=', payment).execute()
    }
  }
  expect(await found(receipt(700))).toEqual([])
  expect(await found(receipt(701))).toEqual(['receipt is not the sum of its payments'])
})

test('a profit is the sum from the periods of its charge', async () => {
  const tenantId = await makeTenant(app(), 733)
  const reseller = await makeUser(app(), { tenantId })
  await setTenantWallet(app(), tenantId, reseller.walletId)
  const { walletId, id: objectId } = await makeUser(app(), { tenantId, plan: null })
  const now = app().clock.now()
  const createdAt = new Date(now.getTime() - 40 * day * 1000)
  const units = [
    { cost: 500, fee: 300, createdAt, objectId },
    { cost: 0, fee: 20, createdAt, objectId },
  ]
  await makeUnits(app(), walletId, units)
  await app()
    .database.db.transaction()
    .execute((trx) => chargeWallet(trx, walletId, { now }))
  expect(await found(async () => {})).toEqual([])
  const ofTenant = sql`profit_id in (select id from ledger_entries where wallet_id = ${reseller.walletId})`
  const broken = ['profit differs from its periods']
  const change = (what: ReturnType<typeof sql>) =>
    found((trx) => sql`update billed_periods set ${what} where ${ofTenant}`.execute(trx), true)
  expect(await change(sql`fee = fee + 1`)).toEqual(broken)
  expect(await change(sql`profit_id = gen_random_uuid()`)).toEqual(broken)
  // as written before periods had a profit_id
  expect(await change(sql`profit_id = null`)).toEqual([])
  expect(await change(sql`profit_id = null, since = since - interval '1 hour'`)).toContain(broken[0])
})
