import { expect, test } from 'vitest'
import { readCount } from './read-number.ts'

test.each([
  ['', null],
  ['  ', null],
  ['0', 0],
  [' 250 ', 250],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['many', undefined],
  ['9999999999', undefined],
])('a limit of %j is %j', (text, count) => {
  expect(readCount(text)).toBe(count)
})
