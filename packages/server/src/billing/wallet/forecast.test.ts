import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { after, day, hour } from '../../platform/clock.ts'
import { readBillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { giveMoney, makeDiscount, makeUser } from '../../testing/factories.ts'
import { balanceOf, makeUnits } from '../../testing/payments/billing.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { chargeWallet } from '../charging/charge.ts'
import { forecastMonths, lastsUntil, type Outlook } from './outlook.ts'
import { readOutlook } from './read-outlook.ts'

const app = useTestApp()

interface Situation {
  readonly now: Date
  readonly money: number
  readonly discount: number
  readonly units: readonly { readonly cost: number; readonly months: number; readonly age: number }[]
}

/** Dates near month ends, and units of every age, whether billed long ago or never. */
const situation = fc.record({
  now: fc
    .tuple(fc.integer({ min: 2023, max: 2026 }), fc.nat(11), fc.constantFrom(1, 15, 28, 29, 30, 31))
    .map(([year, month, date]) => new Date(Date.UTC(year, month, date, 9))),
  money: fc.integer({ min: 0, max: 6000 }),
  discount: fc.constantFrom(0, 0, 10, 33),
  units: fc.array(
    fc.record({
      cost: fc.constantFrom(1, 25, 89, 490, 500, 999),
      months: fc.constantFrom(1, 1, 1, 12),
      age: fc.integer({ min: 0, max: 100 * 24 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
})

/** A wallet with this balance, at a given time. */
async function make({ now, discount, units }: Situation, money: number) {
  const { db } = app().database
  const { walletId } = await makeUser(app(), { plan: null })
  if (discount > 0) {
    const id = await makeDiscount(app(), { discount })
    await db.updateTable('wallets').set({ discountId: id }).where('id', '=', walletId).execute()
  }
  await makeUnits(
    app(),
    walletId,
    units.map(({ age, ...unit }) => ({ ...unit, createdAt: after(now, -age * hour) })),
  )
  await giveMoney(app(), walletId, money)
  const facts = await readBillingFacts(db, walletId)
  if (facts === undefined) throw new Error('the wallet is there')
  const outlook = await readOutlook(db, now, { id: walletId, balance: money }, facts)
  return { walletId, outlook }
}

const charge = (walletId: string, now: Date) =>
  app()
    .database.db.transaction()
    .execute((trx) => chargeWallet(trx, walletId, { now }))

async function balanceAfter(walletId: string, now: Date): Promise<number> {
  await charge(walletId, now)
  return balanceOf(app(), walletId)
}

describe("a wallet's forecast", () => {
  test('equals the charges in each of the next twelve months', async () => {
    await fc.assert(
      fc.asyncProperty(situation, async (one) => {
        // enough money, because debts change what is charged
        const { walletId, outlook } = await make(one, 10_000_000)
        for (const { until, balance } of forecastMonths(outlook)) {
          expect(await balanceAfter(walletId, until)).toBe(balance)
        }
      }),
      { numRuns: 12 },
    )
  }, 60_000)

  test("lasts exactly until the charge that the balance doesn't cover", async () => {
    await fc.assert(
      fc.asyncProperty(situation, async (one) => {
        const { walletId, outlook } = await make(one, one.money)
        const end = lastsUntil(outlook)
        if (end === undefined) return
        if (end > one.now) {
          for (const moment of lookBetween(one.now, after(end, -1))) {
            expect(await balanceAfter(walletId, moment)).toBeGreaterThanOrEqual(0)
          }
        }
        expect(await balanceAfter(walletId, end)).toBeLessThan(0)
      }),
      { numRuns: 12 },
    )
  }, 60_000)

  test('is empty without costs', () => {
    const outlook: Outlook = { now: new Date('2026-03-10T12:00:00Z'), balance: 5, pending: 0, groups: [] }
    expect(lastsUntil(outlook)).toBeUndefined()
    expect(forecastMonths(outlook, 2).map(({ charges, balance }) => [charges, balance])).toEqual([
      [0, 5],
      [0, 5],
    ])
  })
})

/**
 * The first time, some in between, and the last one: the sum is independent of how often charges are made.
 */
function lookBetween(first: Date, last: Date): Date[] {
  const span = (last.getTime() - first.getTime()) / 1000
  const steps = Math.min(6, Math.floor(span / (20 * day)))
  const between = Array.from({ length: steps }, (_, step) => after(first, (span * (step + 1)) / (steps + 1)))
  return [first, ...between, last]
}
