import { expect, test } from 'vitest'
import { isUuid, newUuid, onceUuid, withSeed } from './ids.ts'

test('every run of a request that must happen once comes to the same ids, one for each purpose', () => {
  const seed = newUuid()
  const run = () => withSeed(seed, () => [onceUuid('payment'), onceUuid('booking')])
  const [payment = '', booking = ''] = run()
  expect(run()).toEqual([payment, booking])
  expect(payment).not.toBe(booking)
  expect(withSeed(newUuid(), () => onceUuid('payment'))).not.toBe(payment)
  for (const id of [payment, booking]) {
    expect(isUuid(id)).toBe(true)
    // version 7 with the time of the seed, so that ids are sorted by it
    expect(id[14]).toBe('7')
    expect(id[19]).toMatch(/[89ab]/)
    expect(id.slice(0, 13)).toBe(seed.slice(0, 13))
  }
})

test('elsewhere each id is a new one', () => {
  expect(onceUuid('payment')).not.toBe(onceUuid('payment'))
})
