import { expect, test } from 'vitest'
import { isActor } from './activity-place.ts'

test.each([
  ['jane@acme.test', true],
  ['1234', true],
  ['jane', false],
  ['jane@', false],
  ['jane@acme', false],
  ['jane@acme.t', false],
  ['0', false],
  ['', false],
])('%j names a person: %s', (text, expected) => {
  expect(isActor(text)).toBe(expected)
})
