// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { type Status, type StatusFlags, statusOf } from './status-chip.tsx'

const cases: [StatusFlags, Status][] = [
  [{ isDeleted: true, isSuspended: true, isDegraded: true, isReady: true }, 'deleted'],
  [{ isSuspended: true, isDegraded: true, isReady: true }, 'suspended'],
  [{ isDegraded: true, isReady: true }, 'degraded'],
  [{ isAccountDegraded: true, isReady: true }, 'degraded'],
  [{ isReady: true }, 'active'],
  [{}, 'not-ready'],
]

test.each(cases)('shows %j as %s', (flags, status) => {
  expect(statusOf(flags)).toBe(status)
})
