import { expect, test } from 'vitest'
import { usageState } from './usage-state.ts'

test.each([
  [
    { used: 0, limit: 100 },
    { share: 0, left: 100, state: 'roomy' },
  ],
  [
    { used: 89, limit: 100 },
    { share: 0.89, left: 11, state: 'roomy' },
  ],
  [
    { used: 90, limit: 100 },
    { share: 0.9, left: 10, state: 'tight' },
  ],
  [
    { used: 100, limit: 100 },
    { share: 1, left: 0, state: 'full' },
  ],
  [
    { used: 500, limit: 100 },
    { share: 1, left: 0, state: 'full' },
  ],
  [
    { used: 0, limit: 0 },
    { share: 1, left: 0, state: 'full' },
  ],
])('%j is %j', (quota, state) => {
  expect(usageState(quota)).toEqual(state)
})
