import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAmount } from './amount.ts'

describe('an amount', () => {
  test.each([
    [10, 1000],
    [9.9, 990],
    [0, 0],
    [0.07, 7],
    ['10', 1000],
    ['12.34', 1234],
    ['12,34', 1234],
    ['12,3', 1230],
    ['0.05', 5],
    ['007', 700],
    [1_000_000_000, 100_000_000_000],
  ])('%j is %i cents', (value, cents) => {
    expect(readAmount(value)).toBe(cents)
  })

  test.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '1e9',
    '1E2',
    '0x10',
    '-1',
    '+1',
    '1.',
    '.5',
    ',5',
    '1.234',
    "1'000",
    '1,000.00',
    '1.000,00',
    'CHF 5',
    'NaN',
    'Infinity',
    '١٢',
    '1\n',
    -1,
    -0.01,
    0.001,
    1e-7,
    1e21,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '9'.repeat(13),
  ])('%j is none', (value) => {
    expect(readAmount(value)).toBeUndefined()
  })

  test('round-trips every number of cents in any notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
        expect(readAmount(text)).toBe(cents)
        expect(readAmount(text.replace('.', ','))).toBe(cents)
        expect(readAmount(cents / 100)).toBe(cents)
      }),
    )
  })

  test('is a whole number of cents or undefined for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double()), (value) => {
        const cents = readAmount(value)
        expect(cents === undefined || (Number.isSafeInteger(cents) && cents >= 0)).toBe(true)
      }),
    )
  })
})
