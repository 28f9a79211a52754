import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { convert, inverse, parseRate } from './exchange-rate.ts'
import { currentRate, setRates } from './exchange-store.ts'

const app = useTestApp()

describe('currency conversion', () => {
  test.each([
    [1000, '1.05', 1050],
    [1, '1.5', 2],
    [3, '0.5', 2],
    [3333, '1.0638', 3546],
    [100, '0.0000000001', 0],
  ])('of %i at %s is %i', (amount, rate, wanted) => {
    const parsed = parseRate(rate)
    expect(parsed && convert(amount, parsed)).toBe(wanted)
  })

  test('supports currencies without cents', () => {
    const rate = parseRate('170.25')
    expect(rate && convert(1000, rate, { from: 2, to: 0 })).toBe(1703)
  })

  test.each(['', '0', '0.0', '-1', '1e3', '1,5', '.5', '1.', '1.12345678901', 'NaN'])(
    'at %j is none',
    (rate) => {
      expect(parseRate(rate)).toBeUndefined()
    },
  )

  test('is off by at most half a cent, and a round trip by no more than that at the rate', () => {
    const cents = fc.integer({ min: 1, max: 10_000_000 })
    const rates = fc.integer({ min: 5_000_000_000, max: 20_000_000_000 }).map(BigInt)
    fc.assert(
      fc.property(cents, rates, (amount, numerator) => {
        const rate = { numerator, denominator: 10_000_000_000n }
        const there = convert(amount, rate)
        const error = 2n * (BigInt(there) * rate.denominator - BigInt(amount) * rate.numerator)
        expect(error <= rate.denominator && error >= -rate.denominator).toBe(true)
        expect(Math.abs(convert(there, inverse(rate)) - amount)).toBeLessThanOrEqual(2)
      }),
    )
  })
})

describe('an exchange rate', () => {
  const read = (from: string, to: string) =>
    currentRate(app().database.db, app().clock, { from, to, maxDays: 7 })
  const set = (base: string, day: string, currency: string, rate: string) =>
    setRates(app().database.db, { base, day, rates: new Map([[currency, rate]]) })

  test('is the latest that is not too old, with direct rates before inverse ones', async () => {
    expect(await read('CHF', 'CHF')).toEqual({ numerator: 1n, denominator: 1n })
    expect(await read('CHF', 'EUR')).toBeUndefined()
    await set('EUR', '2026-03-09', 'CHF', '0.94')
    const turned = await read('CHF', 'EUR')
    expect(turned && convert(9400, turned)).toBe(10_000)
    await set('CHF', '2026-03-01', 'EUR', '2')
    expect(await read('CHF', 'EUR')).toEqual(turned)
    await set('CHF', '2026-03-04', 'EUR', '1.05')
    await set('CHF', '2026-03-11', 'EUR', '3')
    const own = await read('CHF', 'EUR')
    expect(own && convert(1000, own)).toBe(1050)
    app().clock.advance(20 * 24 * 3600)
    expect(await read('CHF', 'EUR')).toBeUndefined()
  })
})
