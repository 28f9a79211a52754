import { expect, test } from 'vitest'
import { isUuid, newUuid, onceUuid, withSeed } from './ids.ts'

test('every run of an idempotent request generates the same ids, one for each purpose', () => {
  const seed = newUuid()
  const run = () => withSeed(seed, () => [onceUuid('payment'), onceUuid('booking')])
  const [payment = '', booking = ''] = run()
  expect(run()).toEqual([payment, booking])
  expect(payment).not.toBe(booking)
  expect(withSeed(newUuid(), () => onceUuid('payment'))).not.toBe(payment)
  for (const id of [payment, booking]) {
    expect(isUuid(id)).toBe(true)
    // version 7 with the seed's timestamp, so that ids are sorted by it
    expect(id[14]).toBe('7')
    expect(id[19]).toMatch(/[89ab]/)
    expect(id.slice(0, 13)).toBe(seed.slice(0, 13))
  }
})

test('outside such a request each id is new', () => {
  expect(onceUuid('payment')).not.toBe(onceUuid('payment'))
})
