// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { readAmount, writeAmount } from './amounts.ts'

test.each([
  ['20', 2000],
  [' 20.5 ', 2050],
  ['20,05', 2005],
  ['0', 0],
  ["1'000.00", 100_000],
  ['1 000,00', 100_000],
  ['999999999.99', 99_999_999_999],
])('%j is an amount', (text, cents) => {
  expect(readAmount(text)).toBe(cents)
})

test.each(['', '-5', '1.000', '1.2.3', 'ten', '5 CHF', '1e3', '.5', '１２'])('%j is none', (text) => {
  expect(readAmount(text)).toBeUndefined()
})

test('parses formatted amounts in every language', async () => {
  for (const language of ['en', 'de', 'fr', 'it'] as const) {
    await activateLanguage(language)
    for (const cents of [0, 5, 2050, 123_456_789]) expect(readAmount(writeAmount(cents))).toBe(cents)
  }
  await activateLanguage('de')
  expect(writeAmount(2050)).toBe('20,50')
})
