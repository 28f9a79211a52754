import { afterEach, expect, test, vi } from 'vitest'
import { firstMoment, lastMoment } from './day-bounds.ts'

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['Europe/Zurich', '2026-03-09T23:00:00Z', '2026-03-10T22:59:59Z'],
  ['UTC', '2026-03-10T00:00:00Z', '2026-03-10T23:59:59Z'],
  ['America/New_York', '2026-03-10T04:00:00Z', '2026-03-11T03:59:59Z'],
])('a day in %s lasts from %s to %s', (zone, first, last) => {
  vi.stubEnv('TZ', zone)
  expect(firstMoment('2026-03-10')).toBe(first)
  expect(lastMoment('2026-03-10')).toBe(last)
})

test('no day means no limit', () => {
  expect(firstMoment(undefined)).toBeNull()
  expect(lastMoment(undefined)).toBeNull()
})
