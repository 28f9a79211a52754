// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { attachErrors, errorLine, readFieldError } from './field-errors.ts'

function form(html: string): HTMLFormElement {
  const element = document.createElement('form')
  element.innerHTML = html
  return element
}

test.each([
  ['a sentence', 'Too short.', { text: 'Too short.' }],
  ['sentences', ['Too short.', 'No digit.'], { text: 'Too short. No digit.' }],
  [
    'sentences by index',
    { 0: 'Bad.', 2: ['Worse.', 'Worst.'] },
    { items: { 0: 'Bad.', 2: 'Worse. Worst.' } },
  ],
  ['sentences by key', { street: 'Missing.' }, { parts: { street: 'Missing.' } }],
])('reads %s', (_, wire, expected) => {
  expect(readFieldError(wire)).toEqual(expected)
})

test('puts all messages on one line', () => {
  const error = { text: 'List.', items: { 0: 'First.', 1: 'Second.' }, parts: { street: 'Missing.' } }
  expect(errorLine(error)).toBe('List. First. Second. Missing.')
})

test.each([
  ['id with prefix', '<input id="signup_email">'],
  ['name with prefix', '<input name="signup_email">'],
  ['id without prefix', '<input id="email">'],
  ['name without prefix', '<select name="email"></select>'],
])('attaches to a field by %s', (_, html) => {
  const result = attachErrors(form(html), { email: 'Taken.' }, 'signup_')
  expect(result).toEqual({ attached: { email: { text: 'Taken.' } }, unmatched: [] })
})

test('ignores fields of other forms', () => {
  const { unmatched } = attachErrors(form('<input id="reset_email">'), { email: 'Taken.' }, 'signup_')
  expect(unmatched).toEqual(['Taken.'])
})

test("keys with dots and brackets aren't treated as selectors", () => {
  const { attached } = attachErrors(form('<input id="a.b[0]">'), { 'a.b[0]': 'Bad.' })
  expect(attached).toEqual({ 'a.b[0]': { text: 'Bad.' } })
})

test('separates errors without a field', () => {
  const result = attachErrors(form('<input name="email">'), { email: 'Taken.', plan: ['Gone.'], empty: [] })
  expect(result.attached).toEqual({ email: { text: 'Taken.' } })
  expect(result.unmatched).toEqual(['Gone.'])
})
