// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { day, price, priceLabel } from './format.ts'
import { activateLanguage } from './i18n.ts'

/** Spaces of number formats are of many kinds. */
const plain = (text: string) => text.replace(/\s/gu, ' ')

afterEach(() => activateLanguage('en'))

test.each([
  [{}, '5,00 CHF/Monat'],
  [{ discount: 10 }, '4,50 CHF/Monat¹'],
  [{ discount: 100 }, '0,00 CHF/Monat¹'],
  [{ currency: 'EUR' }, '5,00 €/Monat'],
])('the German label of 500 cents with %j', async (options, label) => {
  await activateLanguage('de')
  expect(plain(priceLabel(500, options))).toBe(label)
})

test('a price is rounded down after the discount', async () => {
  await activateLanguage('de')
  expect(plain(priceLabel(999, { discount: 33 }))).toBe('6,69 CHF/Monat¹')
})

test('the label follows the language', async () => {
  await activateLanguage('en')
  expect(plain(priceLabel(123_456))).toMatch(/^CHF 1.234\.56\/month$/)
  expect(plain(price(1, 'BTC'))).toContain('0.010000')
})

test('times of the server are in UTC', async () => {
  await activateLanguage('en')
  const options = { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'short' } as const
  expect(day('2026-11-18 23:30:00', options)).toBe(day(new Date('2026-11-18T23:30:00Z'), options))
})
