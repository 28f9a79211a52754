import { describe, expect, test } from 'vitest'
import { monthTicks, stepPath, stepsUntil, valueTicks } from './scale.ts'

describe('value ticks', () => {
  test.each([
    [
      [26_200, 4_000],
      [0, 10_000, 20_000, 30_000],
    ],
    [[184], [0, 50, 100, 150, 200]],
    [
      [-228, 83],
      [-300, -200, -100, 0, 100],
    ],
    [
      [-310, 120],
      [-400, -200, 0, 200],
    ],
    [[-50], [-60, -40, -20, 0]],
    [[1], [0, 1]],
    [[3], [0, 1, 2, 3]],
    [[0], [0, 20, 40, 60]],
    [[], [0, 20, 40, 60]],
  ])('of %j are %j', (values, ticks) => {
    expect(valueTicks(values, 60)).toEqual(ticks)
  })

  test('cover any values with few round numbers', () => {
    for (let high = 1; high < 1e9; high = Math.ceil(high * 1.7)) {
      for (const low of [0, -1, -high, -high * 3]) {
        const ticks = valueTicks([high, low], 1)
        expect(ticks.length).toBeLessThanOrEqual(7)
        expect(ticks[0]).toBeLessThanOrEqual(low)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(high)
        expect(ticks).toContain(0)
      }
    }
  })
})

test('for time are the first days of months, as many as fit', () => {
  const from = Date.UTC(2026, 10, 20)
  const to = Date.UTC(2027, 2, 3)
  const days = (most: number) =>
    monthTicks(from, to, most).map((at) => new Date(at).toISOString().slice(0, 10))
  expect(days(9)).toEqual(['2026-12-01', '2027-01-01', '2027-02-01', '2027-03-01'])
  expect(days(2)).toEqual(['2026-12-01', '2027-02-01'])
  expect(days(0)).toEqual(['2026-12-01'])
})

describe('a step line', () => {
  const steps = [
    { at: 0, value: 5 },
    { at: 10, value: 3 },
    { at: 20, value: -1 },
  ]

  test('holds each value until the next', () => {
    const same = (value: number) => value
    expect(stepPath(steps, 30, same, same)).toBe('M0 5H10V3H20V-1H30')
    expect(stepPath([], 30, same, same)).toBe('')
  })

  test('ends at the edge of the chart', () => {
    expect(stepsUntil(steps, 10)).toEqual(steps.slice(0, 2))
    expect(stepsUntil(steps, 30)).toEqual(steps)
  })
})
