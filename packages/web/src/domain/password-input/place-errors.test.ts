import { expect, test } from 'vitest'
import { placePasswordErrors } from './place-errors.ts'

const differ = 'The two entries don’t match.'
const rules = 'This password doesn’t meet all the rules.'

test.each([
  ['a mismatch to the confirmation', ['abc', 'abd'], [differ], { password_confirmation: differ }],
  [
    'a mismatch and broken rules each to its field',
    ['abc', 'abd'],
    [differ, rules],
    { password: [rules], password_confirmation: differ },
  ],
  ['broken rules to the password', ['abc', 'abc'], [rules], { password: [rules] }],
  ['a missing password to the password', ['', 'abc'], [differ], { password: [differ] }],
] as const)('brings %s', (_, [password, confirmation], wrong, expected) => {
  const sent = { password, password_confirmation: confirmation }
  expect(placePasswordErrors({ email: 'Taken.', password: wrong }, sent)).toEqual({
    email: 'Taken.',
    ...expected,
  })
})

test('keeps errors of other fields', () => {
  const sent = { password: 'a', password_confirmation: 'b' }
  expect(placePasswordErrors({ email: 'Taken.' }, sent)).toEqual({ email: 'Taken.' })
})
