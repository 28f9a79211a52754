// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { changeWords } from './change-words.ts'

beforeAll(() => activateLanguage('en'))

test.each([
  [112, 100, '+12\u00a0%'],
  [88, 100, '−12\u00a0%'],
  [1005, 1000, '+0.5\u00a0%'],
  [100, 100, '0\u00a0%'],
  [0, 40, '−100\u00a0%'],
  [5, 0, undefined],
  [5, null, undefined],
  [null, 5, undefined],
])('from %j it is, before %j: %s', (value, before, expected) => {
  expect(changeWords(value, before)).toBe(expected)
})
