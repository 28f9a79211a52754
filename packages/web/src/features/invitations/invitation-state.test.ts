import { expect, test } from 'vitest'
import { canResend, stateOf } from './invitation-state.ts'

const none = { isNew: false, isSent: false, isFailed: false, isCompleted: false, isExpired: false }

test.each([
  ['a fresh one waits and cannot be sent again', { ...none, isNew: true }, 'new', false],
  ['one that went out may be sent again', { ...none, isSent: true }, 'sent', true],
  ['one that failed may be sent again', { ...none, isFailed: true }, 'failed', true],
  ['one whose link has expired starts again', { ...none, isSent: true, isExpired: true }, 'expired', true],
  ['who has signed up needs none', { ...none, isCompleted: true }, 'completed', false],
  ['nor when the link has ended since', { ...none, isCompleted: true, isExpired: true }, 'completed', false],
])('%s', (_, flags, state, again) => {
  expect(stateOf(flags)).toBe(state)
  expect(canResend(flags)).toBe(again)
})
