import { expect, test } from 'vitest'
import { testReply } from './filter.test-data.ts'
import { isTimeZone, replyPeriod } from './reply-period.ts'

test.each([
  // the clocks change on the first, the last, and neither day
  ['Europe/Zurich', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['Europe/Zurich', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['America/New_York', '2026-07-01', '2026-07-01T04:00:00.000Z', '2026-07-02T04:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z', '2026-01-01T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2024-02-29', '2024-02-28T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
  ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
])('a day in %s, %s, lasts from midnight to midnight', (timeZone, day, start, end) => {
  const period = replyPeriod(testReply({ timeZone, from: day, until: day }))
  expect([period.start?.toISOString(), period.end?.toISOString()]).toEqual([start, end])
})

test('a period without days has no limits', () => {
  expect(replyPeriod(testReply())).toEqual({ start: null, end: null })
})

test('only names of time zones are accepted', () => {
  expect(['Europe/Rome', 'UTC', 'Mars/Olympus', '', '"'].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
