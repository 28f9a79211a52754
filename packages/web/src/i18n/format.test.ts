// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { balance, day, distance, price, priceLabel, signedPrice } from './format.ts'
import { activateLanguage } from './i18n.ts'

/** Normalizes the various spaces of number formats. */
const plain = (text: string) => text.replace(/\s/gu, ' ')

afterEach(() => activateLanguage('en'))

test.each([
  [500, 0, {}, '5,00 CHF/Monat'],
  [450, 0, { discount: 10 }, '4,50 CHF/Monat¹'],
  [0, 0, { discount: 100 }, '0,00 CHF/Monat¹'],
  [500, 0, { currency: 'EUR' }, '5,00 €/Monat'],
  [0, 1200, {}, '12,00 CHF/Jahr'],
  [250, 1200, { discount: 10 }, '2,50 CHF/Monat + 12,00 CHF/Jahr¹'],
])('the German label of %i cents a month and %i a year with %j', async (month, year, options, label) => {
  await activateLanguage('de')
  expect(plain(priceLabel({ month, year }, options))).toBe(label)
})

test('formats the label in the language', async () => {
  await activateLanguage('en')
  expect(plain(priceLabel({ month: 123_456, year: 0 }))).toMatch(/^CHF 1.234\.56\/month$/)
  expect(plain(price(1, 'BTC'))).toContain('0.010000')
})

test.each([
  ['en', 2000, '+ CHF 20.00', 'CHF 20.00'],
  ['en', -2079, '− CHF 20.79', '− CHF 20.79'],
  ['de', -2079, '− 20,79 CHF', '− 20,79 CHF'],
  ['en', 0, 'CHF 0.00', 'CHF 0.00'],
] as const)('in %s %i cents that moved are %s, and as a balance %s', async (language, cents, moved, left) => {
  await activateLanguage(language)
  expect(plain(signedPrice(cents))).toBe(moved)
  expect(plain(balance(cents))).toBe(left)
})

test('parses server times as UTC', async () => {
  await activateLanguage('en')
  const options = { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'short' } as const
  expect(day('2026-11-18 23:30:00', options)).toBe(day(new Date('2026-11-18T23:30:00Z'), options))
})

test.each([
  ['2026-11-18 12:00:00', 'now'],
  ['2026-11-18 11:59:20', '40 seconds ago'],
  ['2026-11-18 11:57:31', '2 minutes ago'],
  ['2026-11-18 13:30:00', 'in 1 hour'],
  ['2026-11-20 11:00:00', 'tomorrow'],
])('%s is %j from noon', async (value, words) => {
  await activateLanguage('en')
  expect(distance(value, new Date('2026-11-18T12:00:00Z'))).toBe(words)
})
