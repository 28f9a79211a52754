import { expect, test } from 'vitest'
import { expiryOf } from './expiries.ts'

const now = new Date('2026-02-27T23:30:15Z')

test('a lifetime in days ends to the second, in UTC', () => {
  expect(expiryOf(30, now)).toBe('2026-03-29 23:30:15')
})

test.each([0, -1, Number.NaN])('%s days mean no expiry', (days) => {
  expect(expiryOf(days, now)).toBeNull()
})
