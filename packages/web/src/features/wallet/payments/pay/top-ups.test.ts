import { describe, expect, test } from 'vitest'
import { nextTopUp, withTopUps } from './top-ups.ts'

describe('auto-payment in the expected balance', () => {
  const course = [
    { at: 0, value: 9000 },
    { at: 1e9, value: 4000 },
    { at: 2e9, value: -1000 },
    { at: 3e9, value: -6000 },
  ]

  test('is triggered when the balance falls below the threshold, not when it reaches it', () => {
    expect(nextTopUp(course, 4000)).toBe(2e9)
    expect(nextTopUp(course, 4001)).toBe(1e9)
    expect(nextTopUp(course, -6000)).toBeUndefined()
  })

  test('adds its amount to every later point, once per top-up', () => {
    const values = withTopUps(course, { threshold: 2000, amount: 5000 }).map(({ value }) => value)
    expect(values).toEqual([9000, 4000, -1000, 4000, -1000, 4000])
    expect(withTopUps(course, { threshold: 2000, amount: 20_000 }).map(({ value }) => value)).toEqual([
      9000, 4000, -1000, 19_000, 14_000,
    ])
  })
})
