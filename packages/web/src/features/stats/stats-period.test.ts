import { expect, test } from 'vitest'
import { spanOf } from './stats-period.ts'

const now = new Date('2026-03-31T23:59:00Z')

test.each([
  ['4w', '2026-03-04', '2026-03-31'],
  ['3m', '2026-01-01', '2026-03-31'],
  ['12m', '2025-04-01', '2026-03-31'],
  ['year', '2026-01-01', '2026-03-31'],
] as const)('%s reaches from %s to today', (period, from, to) => {
  expect(spanOf(period, now)).toEqual({ from, to })
})

test('clamps to the end of shorter months', () => {
  expect(spanOf('3m', new Date('2026-05-31T12:00:00Z'))).toEqual({ from: '2026-03-01', to: '2026-05-31' })
})

test.each([
  [{ from: '2025-02-03', to: '2025-02-09' }, '2025-02-03', '2025-02-09'],
  [{ from: '2025-02-03' }, '2025-02-03', '2026-03-31'],
  [{ to: '2025-02-09' }, '2024-11-10', '2025-02-09'],
  [{ from: '2025-02-09', to: '2025-02-03' }, '2026-01-01', '2026-03-31'],
  [{}, '2026-01-01', '2026-03-31'],
])('chosen days %o are from %s to %s', (chosen, from, to) => {
  expect(spanOf('custom', now, chosen)).toEqual({ from, to })
})
