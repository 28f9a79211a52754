import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discountedPrice } from './discounted-price.ts'
import {
  monthlyCharge,
  nextCost,
  packageCost,
  packageUnitCost,
  packageYearCost,
  unitCosts,
} from './pricing.ts'

const cents = fc.integer({ min: 0, max: 100_000 })
const count = fc.integer({ min: 0, max: 100 })
const percent = fc.integer({ min: 0, max: 100 })
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('the price of a unit in a package', () => {
  test.each([
    [null, 500, 0, 500],
    [null, 500, 30, 350],
    [null, 25, 50, 13],
    [null, 500, 100, 0],
    [400, 500, 30, 400],
    [0, 500, 0, 0],
  ])('own %j, SKU %i, %i %% off: %i', (own, sku, discount, expected) => {
    expect(packageUnitCost({ cost: own }, { cost: sku }, discount)).toBe(expected)
  })
})

describe('the price of a package', () => {
  const mailbox = {
    qty: 1,
    period: 'monthly',
    cost: null,
    skuCost: 500,
    unitsFree: 0,
    discountRate: 0,
  } as const
  const groupware = { ...mailbox, skuCost: 490 }
  const storage = { ...mailbox, qty: 5, skuCost: 25, unitsFree: 5 }
  const domain = { ...mailbox, skuCost: 100, unitsFree: 1 }
  const registration = { ...mailbox, period: 'yearly', skuCost: 1205 } as const
  test.each([
    ['kolab', [mailbox, groupware, storage], 990],
    ['lite', [mailbox, storage], 500],
    ['domain hosting', [domain], 0],
    ['seven of storage, five of them free', [{ ...storage, qty: 7 }], 50],
    ['half price', [{ ...groupware, discountRate: 50 }], 245],
    ['nothing', [], 0],
  ] as const)('%s: %j is %i', (_, lines, expected) => {
    expect(packageCost(lines)).toBe(expected)
    expect(packageYearCost(lines)).toBe(12 * expected)
  })

  test.each([
    ['one by the year', [registration], 100, 1205],
    ['three by the year, one of them free', [{ ...registration, qty: 3, unitsFree: 1 }], 200, 2410],
    ['by the year at half price', [{ ...registration, discountRate: 50 }], 50, 603],
    ['both', [mailbox, registration], 600, 7205],
  ] as const)(
    'that includes a yearly SKU, %s, is given both per month and per year',
    (_, lines, month, year) => {
      expect(packageCost(lines)).toBe(month)
      expect(packageYearCost(lines)).toBe(year)
    },
  )
})

describe('units', () => {
  test.each([
    [0, 7, 5, [0, 0, 0, 0, 0, 25, 25]],
    [5, 2, 5, [25, 25]],
    [4, 2, 5, [0, 25]],
    [0, 1, 0, [25]],
    [9, 0, 5, []],
  ])('%i held, %i more, %i free: %j', (held, more, free, expected) => {
    expect(unitCosts(held, more, free, 25)).toEqual(expected)
  })

  test('cost the same whether added together or one by one', () => {
    fc.assert(
      fc.property(count, count, count, count, cents, (held, one, other, free, cost) => {
        expect([...unitCosts(held, one, free, cost), ...unitCosts(held + one, other, free, cost)]).toEqual(
          unitCosts(held, one + other, free, cost),
        )
      }),
    )
  })

  test.each([
    [100, 1, 0, 0],
    [100, 1, 1, 100],
    [100, 0, 0, 100],
    [25, 5, 4, 0],
  ])('the next at %i with %i free and %i held: %i', (cost, unitsFree, held, expected) => {
    expect(nextCost({ cost, unitsFree }, held)).toBe(expected)
  })
})

describe('a month of several units', () => {
  test('is rounded down per unit, as billed', () => {
    expect(monthlyCharge([490, 500, 25, 25, 25, 25, 25], 30)).toBe(343 + 350 + 5 * 17)
    expect(
      monthlyCharge(
        Array.from({ length: 95 }, () => 25),
        10,
      ),
    ).toBe(95 * 22)
  })

  test('is whole cents, at most the displayed price, zero at full discount, and undiscounted without one', () => {
    fc.assert(
      fc.property(fc.array(cents), percent, (costs, discount) => {
        const charge = monthlyCharge(costs, discount)
        const shown = discountedPrice(sum(costs), discount)
        expect(Number.isSafeInteger(charge)).toBe(true)
        expect(charge).toBeGreaterThanOrEqual(0)
        expect(charge).toBeLessThanOrEqual(shown)
        expect(shown - charge).toBeLessThanOrEqual(costs.length)
        expect(monthlyCharge(costs, 100)).toBe(0)
        expect(monthlyCharge(costs, 0)).toBe(sum(costs))
      }),
    )
  })
})
