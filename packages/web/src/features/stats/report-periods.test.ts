import { expect, test } from 'vitest'
import { reportPeriods } from './report-periods.ts'

test('offers reports for months, quarters and years, across the turn of the year', () => {
  const values = reportPeriods(new Date('2026-02-11T12:00:00Z')).map(({ value }) => value)
  expect(values.slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect(values.slice(12)).toEqual(['2026-Q1', '2025-Q4', '2025-Q3', '2025-Q2', '2026', '2025'])
})
