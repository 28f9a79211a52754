import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { addVat, splitGross, taxedCharge } from './taxed-amount.ts'
import { setVatRates, vatRateOf } from './vat-store.ts'

describe('VAT included in an amount', () => {
  test.each([
    [1234, 770, { net: 1146, vat: 88, gross: 1234 }],
    [1, 770, { net: 1, vat: 0, gross: 1 }],
    [100, 770, { net: 93, vat: 7, gross: 100 }],
    [-100, 770, { net: -93, vat: -7, gross: -100 }],
    [10_000, 0, { net: 10_000, vat: 0, gross: 10_000 }],
    [10_810, 810, { net: 10_000, vat: 810, gross: 10_810 }],
  ])('of %i cents at %i hundredths of a percent', (gross, rate, parts) => {
    expect(splitGross(gross, rate)).toEqual(parts)
  })

  test('equals the VAT that was added to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 3000 }), (net, rate) => {
        const taxed = addVat(net, rate)
        expect(splitGross(taxed.gross, rate)).toEqual(taxed)
      }),
    )
  })

  test('of a refund is the VAT of its payment', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (gross, rate) => {
          const paid = splitGross(gross, rate)
          const back = splitGross(-gross, rate)
          expect([back.net + paid.net, back.vat + paid.vat]).toEqual([0, 0])
        },
      ),
    )
  })
})

test('a payment includes VAT, or VAT is added to the credited amount', () => {
  expect(taxedCharge(1000, { rate: 500, mode: 'included' })).toEqual({ net: 952, vat: 48, gross: 1000 })
  expect(taxedCharge(1000, { rate: 500, mode: 'on-top' })).toEqual({ net: 1000, vat: 50, gross: 1050 })
  expect(taxedCharge(1000, undefined)).toEqual({ net: 1000, vat: 0, gross: 1000 })
})

test.each(['included', 'on-top'] as const)(
  'the VAT of a charge, %s, is what the receipt finds in it',
  (mode) => {
    const cents = fc.integer({ min: 1, max: 100_000_000 })
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 3000 }), (amount, rate) => {
        const terms = { rate, mode }
        const shown = taxedCharge(amount, terms)
        // the receipt only knows the paid amount and the rate
        expect(splitGross(shown.gross, rate)).toEqual(shown)
      }),
    )
  },
)

test('the VAT of zero is zero', () => {
  expect(taxedCharge(0, { rate: 810, mode: 'on-top' })).toEqual({ net: 0, vat: 0, gross: 0 })
})

describe('rates by country', () => {
  const app = useTestApp()

  test('apply from their date until the next one', async () => {
    const { db } = app().database
    await setVatRates(
      db,
      '2018-01-01',
      new Map([
        ['CH', 770],
        ['DE', 1900],
      ]),
    )
    expect(
      await setVatRates(
        db,
        '2024-01-01',
        new Map([
          ['CH', 810],
          ['DE', 1900],
        ]),
      ),
    ).toEqual(['CH'])
    const rate = async (country: string, at: string) => (await vatRateOf(db, country, new Date(at)))?.rate
    expect(await rate('CH', '2017-12-31T23:59:59Z')).toBeUndefined()
    expect(await rate('CH', '2023-12-31T23:59:59Z')).toBe(770)
    expect(await rate('ch', '2024-01-01T00:00:00Z')).toBe(810)
    expect(await rate('DE', '2026-01-01T00:00:00Z')).toBe(1900)
    expect(await rate('US', '2026-01-01T00:00:00Z')).toBeUndefined()
  })

  test('can be corrected on their start date', async () => {
    const { db } = app().database
    await setVatRates(db, '2025-01-01', new Map([['SK', 2300]]))
    expect(await setVatRates(db, '2025-01-01', new Map([['SK', 2400]]))).toEqual(['SK'])
    expect((await vatRateOf(db, 'SK', new Date('2025-06-01T00:00:00Z')))?.rate).toBe(2400)
  })
})
