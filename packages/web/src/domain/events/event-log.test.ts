// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { lookOf } from './event-log.tsx'

test.each([
  ['user.suspend', 'warning'],
  ['domain.suspended', 'warning'],
  ['user.degrade', 'warning'],
  ['user.unsuspend', 'success'],
  ['user.undegraded', 'success'],
  ['group.restored', 'success'],
  ['user.created', 'success'],
  ['user.deleted', 'muted'],
  ['mail.sent', 'info'],
  ['user.updated', 'muted'],
  ['something', 'muted'],
])('%s is shown as %s', (kind, tone) => {
  expect(lookOf(kind).tone).toBe(tone)
})
