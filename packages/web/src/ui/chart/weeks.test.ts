import { expect, test } from 'vitest'
import { weekStart } from './weeks.ts'

test.each([
  ['2026-47', '2026-11-16'],
  ['2026-01', '2025-12-29'],
  ['2026-1', '2025-12-29'],
  ['2026-W53', '2026-12-28'],
  ['2021-01', '2021-01-04'],
  ['2020-53', '2020-12-28'],
  ['2024-09', '2024-02-26'],
])('the week %s begins on %s', (week, monday) => {
  expect(new Date(weekStart(week) ?? 0).toISOString().slice(0, 10)).toBe(monday)
})

test.each(['', '2026', '10%', '2026-00', '2026-54', '26-04', 'TEST-10'])('%j is no week', (text) => {
  expect(weekStart(text)).toBeUndefined()
})
