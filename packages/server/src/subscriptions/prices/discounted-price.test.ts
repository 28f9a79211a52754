import { expect, test } from 'vitest'
import { discountedPrice } from './discounted-price.ts'

test.each([
  [990, 0, 990],
  [990, 30, 693],
  [999, 10, 899],
  [1, 50, 0],
  [990, 100, 0],
])('%i less %i %% is %i', (cents, discount, expected) => {
  expect(discountedPrice(cents, discount)).toBe(expected)
})
