import type { Forecast } from '@gatehouse/contract/wallets'
import { describe, expect, test } from 'vitest'
import { estimate, leastAmount, owed, quickAmounts } from './estimate.ts'
import { nextTopUp, withTopUps } from './top-ups.ts'

describe('what a method takes', () => {
  test.each([
    [2000, 1, 2000],
    [2000, 1.0567, 2113],
    [1, 0.4, 0],
    [99_999, 0.93541, 93_540],
  ])('%i cents at %d are %i', (cents, exchangeRate, expected) => {
    expect(estimate(cents, { exchangeRate })).toBe(expected)
  })

  test('is not known without a rate', () => {
    expect(estimate(2000, {})).toBeUndefined()
  })
})

describe('the least amount', () => {
  test('is that of the method, and never below one unit', () => {
    expect(leastAmount({ minimumAmount: 500, currency: 'CHF', exchangeRate: 1 }, 'CHF')).toBe(500)
    expect(leastAmount({ minimumAmount: 1, currency: 'CHF' }, 'CHF')).toBe(100)
  })

  test('of another currency is enough after the conversion', () => {
    const method = { minimumAmount: 500, currency: 'EUR', exchangeRate: 1.07 }
    const least = leastAmount(method, 'CHF') ?? 0
    expect(estimate(least, method)).toBeGreaterThanOrEqual(500)
    expect(estimate(least - 1, method)).toBeLessThan(500)
  })

  test('is not known without a rate', () => {
    expect(leastAmount({ minimumAmount: 100_000, currency: 'BTC' }, 'CHF')).toBeUndefined()
  })
})

describe('amounts on offer', () => {
  const forecast = (change: Partial<Forecast>): Forecast => ({
    ...{ currency: 'CHF', balance: 5000, pending: 0, lastsUntil: null, priceChanges: [] },
    next: { date: '2026-12-01', amount: 4620 },
    months: Array.from({ length: 12 }, () => ({ until: '2026-12-20', charges: 4620, balance: 0 })),
    ...change,
  })

  test('are the next charge and three months', () => {
    expect(quickAmounts(forecast({}))).toEqual([
      { kind: 'next', cents: 4620 },
      { kind: 'months', cents: 13_860 },
    ])
  })

  test('begin with what is owed, which the others contain', () => {
    expect(quickAmounts(forecast({ balance: -1230 }))).toEqual([
      { kind: 'owed', cents: 1230 },
      { kind: 'next', cents: 5850 },
      { kind: 'months', cents: 15_090 },
    ])
  })

  test('count what is due already as owed', () => {
    expect(owed({ balance: 500, pending: 700 })).toBe(200)
    expect(owed({ balance: 700, pending: 500 })).toBe(0)
  })

  test('are never below what the method takes, nor there twice', () => {
    expect(quickAmounts(forecast({ balance: -50 }), 500).map(({ kind }) => kind)).toEqual(['next', 'months'])
    const once = forecast({ months: [{ until: '2026-12-20', charges: 4620, balance: 0 }] })
    expect(quickAmounts(once)).toEqual([{ kind: 'next', cents: 4620 }])
  })

  test('are none where nothing is charged', () => {
    expect(quickAmounts(forecast({ next: null, months: [] }))).toEqual([])
  })
})

describe('auto-payment on the expected course', () => {
  const course = [
    { at: 0, value: 9000 },
    { at: 1e9, value: 4000 },
    { at: 2e9, value: -1000 },
    { at: 3e9, value: -6000 },
  ]

  test('comes when the balance falls below the threshold, not when it reaches it', () => {
    expect(nextTopUp(course, 4000)).toBe(2e9)
    expect(nextTopUp(course, 4001)).toBe(1e9)
    expect(nextTopUp(course, -6000)).toBeUndefined()
  })

  test('lifts what follows by its amount, each time anew', () => {
    const values = withTopUps(course, { threshold: 2000, amount: 5000 }).map(({ value }) => value)
    expect(values).toEqual([9000, 4000, -1000, 4000, -1000, 4000])
    expect(withTopUps(course, { threshold: 2000, amount: 20_000 }).map(({ value }) => value)).toEqual([
      9000, 4000, -1000, 19_000, 14_000,
    ])
  })
})
