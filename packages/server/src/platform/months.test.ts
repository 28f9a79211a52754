import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths, anchorDay, daysBetween, daysInMonth, monthsBetween } from './months.ts'

const at = (text: string) => new Date(`${text}${text.length === 10 ? 'T12:00:00' : ''}Z`)
const moment = fc.date({ min: at('2000-01-01'), max: at('2100-01-01'), noInvalidDate: true })
const months = fc.integer({ min: 0, max: 60 })

describe('adding months', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-03-31', 1, '2026-04-30'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-05-05', 0, '2026-05-05'],
    ['2026-03-31', -1, '2026-02-28'],
  ])('%s plus %i is %s', (start, count, expected) => {
    expect(addMonths(at(start), count)).toEqual(at(expected))
  })

  test('a short month does not change the day permanently', () => {
    expect(addMonths(at('2026-02-28'), 1, 31)).toEqual(at('2026-03-31'))
  })

  test('returns a later date in the right month at the same time of day', () => {
    fc.assert(
      fc.property(moment, months, (start, count) => {
        const end = addMonths(start, count)
        expect(end.getTime() % 86_400_000).toBe(start.getTime() % 86_400_000)
        expect(
          end.getUTCFullYear() * 12 + end.getUTCMonth() - (start.getUTCFullYear() * 12 + start.getUTCMonth()),
        ).toBe(count)
        expect(monthsBetween(start, end)).toBe(count)
        if (count > 0) expect(monthsBetween(start, new Date(end.getTime() - 1))).toBe(count - 1)
      }),
    )
  })
})

test.each([
  ['2026-01-31', '2026-02-27', 0],
  ['2026-01-31', '2026-02-28', 1],
  ['2026-01-31', '2026-02-28T11:59:59', 0],
  ['2026-04-02', '2026-05-21', 1],
  ['2026-05-21', '2026-04-02', 0],
  ['2026-04-02', '2026-04-01', 0],
])('whole months from %s to %s: %i', (start, end, expected) => {
  expect(monthsBetween(at(start), at(end))).toBe(expected)
})

test.each([
  ['2026-02-10', 28],
  ['2024-02-10', 29],
  ['2026-04-30', 30],
  ['2026-12-31', 31],
])('the month of %s has %i days', (day, expected) => {
  expect(daysInMonth(at(day))).toBe(expected)
})

test.each([
  ['2026-05-02', '2026-05-21', 19],
  ['2026-05-02', '2026-05-03T11:59:59', 0],
  ['2026-05-03', '2026-05-02', 0],
])('whole days from %s to %s: %i', (start, end, expected) => {
  expect(daysBetween(at(start), at(end))).toBe(expected)
})

test.each([
  ['2026-01-31', '2026-02-28', 31],
  ['2026-01-31', '2026-04-30', 31],
  ['2026-01-31', '2026-03-31', 31],
  ['2026-01-15', '2026-02-15', 15],
  ['2026-01-31', '2026-02-15', 15],
  ['2026-01-05', '2026-02-28', 28],
])('a start on %s with a period from %s bills on day %i', (began, start, expected) => {
  expect(anchorDay(at(began), at(start))).toBe(expected)
})
