import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leastAmount } from './least-amount.ts'

describe('the minimum auto-payment amount', () => {
  test.each([
    // plan, discount, balance, amount, debt
    [0, 0, 0, 100, false],
    [99, 0, 0, 100, false],
    [500, 0, 0, 500, false],
    [500, 10, 0, 450, false],
    [999, 33, 0, 669, false],
    [500, 100, 0, 100, false],
    [12 * 500, 0, 0, 6000, false],
    [500, 0, 5000, 500, false],
    [500, 0, -500, 500, false],
    [500, 0, -501, 501, true],
    [0, 0, -100, 100, false],
    [0, 0, -101, 101, true],
    [500, 100, -300, 300, true],
  ])(
    'of a plan of %i with %i %% and a balance of %i is %i (debt: %s)',
    (planCost, discount, balance, amount, isDebt) => {
      expect(leastAmount({ planCost, discount, balance })).toEqual({ amount, isDebt })
    },
  )

  test('covers any debt, is never below one unit, and never more than plan and debt require', () => {
    const facts = fc.record({
      planCost: fc.integer({ min: 0, max: 10_000_000 }),
      discount: fc.integer({ min: 0, max: 100 }),
      balance: fc.integer({ min: -10_000_000, max: 10_000_000 }),
    })
    fc.assert(
      fc.property(facts, (of) => {
        const { amount, isDebt } = leastAmount(of)
        expect(of.balance + amount).toBeGreaterThanOrEqual(Math.min(0, of.balance + 100))
        expect(of.balance < 0 ? of.balance + amount : 0).toBeGreaterThanOrEqual(0)
        expect(amount).toBeGreaterThanOrEqual(100)
        expect(amount).toBeLessThanOrEqual(Math.max(100, of.planCost, -of.balance))
        expect(isDebt).toBe(amount === -of.balance && amount > Math.max(100, discounted(of)))
      }),
    )
  })
})

const discounted = ({ planCost, discount }: { planCost: number; discount: number }) =>
  Math.floor((planCost * (100 - discount)) / 100)
