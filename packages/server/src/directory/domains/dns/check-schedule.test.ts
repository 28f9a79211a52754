import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { after, day, hour, minute } from '../../../platform/clock.ts'
import { nextLook, nextRoutineLook, patience } from './check-schedule.ts'

const start = new Date('2026-03-10T12:00:00Z')
const wait = (age: number, chance = 0) => {
  const now = after(start, age)
  const next = nextLook(start, now, chance)
  return next && (next.getTime() - now.getTime()) / 1000
}

describe('checks for the proof of a new domain', () => {
  test.each([
    [0, minute],
    [minute, minute],
    [hour, 15 * minute],
    [day, 6 * hour],
    [10 * day, day],
    [27 * day, day],
    [patience, undefined],
    [100 * day, undefined],
  ])('at an age of %i seconds are next due after %s', (age, expected) => {
    expect(wait(age)).toBe(expected)
  })

  test('number a few dozen in total and then end', () => {
    let looks = 0
    for (let now: Date | undefined = start; now !== undefined; now = nextLook(start, now, 0.5)) looks++
    expect(looks).toBeGreaterThan(40)
    expect(looks).toBeLessThan(120)
  })

  test('are never due in the past or more than a fifth late', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: patience - 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (age, chance) => {
          const plain = wait(age) ?? 0
          const spread = wait(age, chance) ?? 0
          return spread >= plain && spread <= plain * 1.2 + 1 && plain >= minute
        },
      ),
    )
  })
})

test('confirmed domains are checked about once a day', () => {
  const hours = (chance: number) => (nextRoutineLook(start, chance).getTime() - start.getTime()) / 3_600_000
  expect([hours(0), hours(0.5), hours(1)]).toEqual([22, 24, 26])
})
