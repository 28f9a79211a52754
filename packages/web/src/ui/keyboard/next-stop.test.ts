import { expect, test } from 'vitest'
import { nextStop } from './next-stop.ts'

const plain = { altKey: false, ctrlKey: false, metaKey: false }

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowUp', 0, 2],
  ['ArrowUp', -1, 2],
  ['ArrowDown', -1, 0],
  ['Home', 1, 0],
  ['End', 1, 2],
  ['ArrowRight', 1, undefined],
  ['a', 1, undefined],
])('%s from %i leads to %s in a column of three', (key, at, expected) => {
  expect(nextStop({ ...plain, key }, at, 3, 'vertical')).toBe(expected)
})

test("left and right arrow keys move along a row, up and down don't", () => {
  const keys = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']
  expect(keys.map((key) => nextStop({ ...plain, key }, 0, 3, 'horizontal'))).toEqual([
    1,
    2,
    undefined,
    undefined,
  ])
})

test.each(['altKey', 'ctrlKey', 'metaKey'])('a key with %s is left to the browser', (modifier) => {
  expect(nextStop({ ...plain, key: 'ArrowLeft', [modifier]: true }, 0, 3, 'horizontal')).toBeUndefined()
})

test('a row without stops has no next one', () => {
  expect(nextStop({ ...plain, key: 'End' }, -1, 0, 'vertical')).toBeUndefined()
})
