import { describe, expect, test } from 'vitest'
import { minute } from '../../platform/clock.ts'
import { isConflict } from '../../platform/db/database.ts'
import { giveMoney } from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { chargesOf, makeMandate, sandboxCharges, topUpNow } from '../../testing/payments/mandates.ts'
import { makePayer, type Payer, sandboxOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { settle } from '../payments/settlement/settle.ts'
import { openCrashPool } from '../simulation/crash-pool.ts'
import { topUp } from './top-up.ts'

const app = useTestApp()

/** Creates a wallet that is due for a top-up of 20. */
async function makeDue(card: 'good' | 'slow' = 'good'): Promise<Payer> {
  const payer = await makePayer(app())
  await giveMoney(app(), payer.walletId, 1500)
  await makeMandate(app(), payer, { amount: 20, balance: 10, card })
  await giveMoney(app(), payer.walletId, -600)
  return payer
}

/** Expects one charge at the provider, one received payment, and one credit in the wallet. */
async function expectOnce(payer: Payer): Promise<void> {
  expect(await sandboxCharges(app(), payer.walletId)).toHaveLength(1)
  const paid = (await chargesOf(app(), payer.walletId)).filter(({ status }) => status !== 'canceled')
  expect(paid.map(({ status }) => status)).toEqual(['paid'])
  expect(await balanceOf(app(), payer.walletId)).toBe(2900)
  expect(await verifyLedger(app().database.db)).toEqual([])
}

describe('a wallet is charged exactly once', () => {
  test('for simultaneous requests', async () => {
    const payer = await makeDue()
    await Promise.all(Array.from({ length: 20 }, () => topUpNow(app(), payer.walletId)))
    await app().jobs.drain()
    await expectOnce(payer)
  })

  test('for simultaneous requests while the bank is slow', async () => {
    const payer = await makeDue('slow')
    const decisions = await Promise.all(
      Array.from({ length: 20 }, () => topUpNow(app(), payer.walletId, app().clock.now())),
    )
    await app().jobs.drain()
    expect(decisions.filter(({ act }) => act === 'charge').length).toBeGreaterThan(0)
    expect(await sandboxCharges(app(), payer.walletId)).toHaveLength(1)
    expect((await chargesOf(app(), payer.walletId)).map(({ status }) => status)).toEqual(['pending'])
  })

  test.each([
    ['before the provider is asked', 'before', 'chargeMandate'],
    ['after it was charged and before its answer', 'after', 'chargeMandate'],
    ['before the payment is looked at', 'before', 'readPayment'],
    ['after the payment was looked at', 'after', 'readPayment'],
  ] as const)('when the process ends %s', async (_when, moment, call) => {
    const payer = await makeDue()
    const sandbox = sandboxOf(app())
    sandbox.trouble = {
      [moment]: (name: string) => {
        if (name === call) throw new Error('killed')
      },
    }
    await expect(topUpNow(app(), payer.walletId)).rejects.toThrow('killed')
    sandbox.trouble = {}
    await goOn(payer)
    await expectOnce(payer)
  })

  test('if the process ends at any of its statements', async () => {
    const { connectionString: url } = app().database.pool.options
    await using crashing = openCrashPool(url ?? '')
    let ended = 0
    for (let statement = 1; ; statement += 3) {
      const payer = await makeDue()
      const before = crashing.crashes
      crashing.crashAt(statement)
      const parts = { ...app().autoPayment, db: crashing.db }
      await topUp(parts, payer.walletId, { by: 'portal', askedAt: null }).catch((error: unknown) => {
        if (isConflict(error)) throw error
        ended += 1
      })
      crashing.crashAt(Number.POSITIVE_INFINITY)
      await goOn(payer)
      await expectOnce(payer)
      if (crashing.crashes === before) break
    }
    expect(ended).toBeGreaterThan(10)
  }, 60_000)

  test("if its owner's request leaves it below the threshold, however often that is repeated", async () => {
    const payer = await makeDue()
    const body = { amount: 20, balance: 90 }
    expect((await payer.call('PUT /api/v4/payments/mandate', body)).status).toBe(200)
    const askedAt = app().clock.now()
    for (let tries = 0; tries < 3; tries++) {
      await topUpNow(app(), payer.walletId, askedAt)
      app().clock.advance(minute)
    }
    await app().jobs.drain()
    await expectOnce(payer)
  })

  test('unless money arrived before an interrupted charge was resumed', async () => {
    const payer = await makeDue()
    const sandbox = sandboxOf(app())
    sandbox.trouble = {
      before: (name) => {
        if (name === 'chargeMandate') throw new Error('killed')
      },
    }
    await expect(topUpNow(app(), payer.walletId)).rejects.toThrow('killed')
    sandbox.trouble = {}
    await giveMoney(app(), payer.walletId, 500)
    await goOn(payer)
    expect(await sandboxCharges(app(), payer.walletId)).toEqual([])
    expect((await chargesOf(app(), payer.walletId)).map(({ status }) => status)).toEqual(['canceled'])
  })
})

/** Simulates a new process: delivers pending webhooks, and checks the wallet and the payment. */
async function goOn(payer: Payer): Promise<void> {
  await topUpNow(app(), payer.walletId)
  await app().jobs.drain()
  for (const { id, status } of await chargesOf(app(), payer.walletId)) {
    if (status !== 'paid') await settle(app().autoPayment, id)
  }
  await topUpNow(app(), payer.walletId)
}
