import { expect, test } from 'vitest'
import { readPolicy, writePolicy } from './invitation-policy.ts'

test.each([
  ['accept', { policy: 'accept', decider: '' }],
  ['reject', { policy: 'reject', decider: '' }],
  ['manual:jane@acme.test', { policy: 'manual', decider: 'jane@acme.test' }],
] as const)('%s is read and written back', (text, values) => {
  expect(readPolicy(text)).toEqual(values)
  expect(writePolicy(values)).toBe(text)
})

test('drops the decider when nobody has to decide', () => {
  expect(writePolicy({ policy: 'accept', decider: 'jane@acme.test' })).toBe('accept')
  expect(writePolicy({ policy: 'manual', decider: ' jane@acme.test ' })).toBe('manual:jane@acme.test')
})

test('reads an unknown policy as that of a new resource', () => {
  expect(readPolicy('perhaps')).toEqual({ policy: 'accept', decider: '' })
})
