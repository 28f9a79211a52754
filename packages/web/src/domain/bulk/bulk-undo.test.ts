// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { inverseOf } from './bulk-undo.ts'

const ids: number[] = [1, 2]

test.each([
  ['suspend', 'resume'],
  ['resume', 'suspend'],
  ['delete', 'restore'],
] as const)('%s of named objects is taken back by %s', (action, inverse) => {
  expect(inverseOf({ objects: 'users', action, ids })).toEqual({ objects: 'users', action: inverse, ids })
})

test('members removed from a list are added back to the same list', () => {
  const input = { objects: 'users', action: 'leave', ids, group: 7 } as const
  expect(inverseOf(input)).toEqual({ ...input, action: 'join' })
})

test.each([
  ['what a filter has found', { objects: 'users', action: 'suspend', filter: {} }],
  ['another package', { objects: 'users', action: 'package', ids, package: 'p' }],
  ['mails that were sent', { objects: 'users', action: 'password-link', ids }],
] as const)('%s has no way back', (_, input) => {
  expect(inverseOf({ ...input, ...('ids' in input && { ids: [...input.ids] }) })).toBeUndefined()
})
