import { expect, test } from 'vitest'
import { movedPlace } from './moved-place.ts'

test.each([
  ['forecast', 'costs', 'forecast'],
  ['alerts', 'more', 'alerts'],
  ['referral', 'more', 'referral'],
  ['verify', 'more', 'verify'],
  ['pending', 'more', 'pending'],
])('the tab %s of older links is now in %s, as %s', (old, tab, part) => {
  expect(movedPlace({ tab: old, wallet: 'w' })).toEqual({ tab, part, wallet: 'w' })
})

test.each([undefined, 'history', 'receipts', 'costs', 'more', 'toString', 7])('the tab %s stays', (tab) => {
  expect(movedPlace({ tab })).toBeUndefined()
})
