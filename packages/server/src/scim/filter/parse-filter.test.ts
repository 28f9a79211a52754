import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScimError } from '../errors.ts'
import { parseFilter, parsePatchPath } from './parse-filter.ts'

const name = (text: string) => ({ urn: undefined, name: text, sub: undefined })
const equals = (path: string, value: unknown) => ({
  kind: 'compare',
  path: name(path),
  operator: 'eq',
  value,
})

test('`and` binds more tightly than `or`, and `not` needs parentheses', () => {
  expect(parseFilter('a eq 1 or b eq 2 and not (c eq 3)')).toEqual({
    kind: 'or',
    left: equals('a', 1),
    right: { kind: 'and', left: equals('b', 2), right: { kind: 'not', inner: equals('c', 3) } },
  })
  expect(parseFilter('(a eq true or b eq null) and c pr')).toEqual({
    kind: 'and',
    left: { kind: 'or', left: equals('a', true), right: equals('b', null) },
    right: { kind: 'present', path: name('c') },
  })
})

test('texts are JSON, and attributes may have the URN of their schema', () => {
  expect(parseFilter('urn:a:2.0:User:name.familyName eq "a \\"b\\" (c)\\u00e9"')).toEqual({
    kind: 'compare',
    path: { urn: 'urn:a:2.0:User', name: 'name', sub: 'familyName' },
    operator: 'eq',
    value: 'a "b" (c)é',
  })
})

test('paths of changes have a filter and a sub-attribute', () => {
  expect(parsePatchPath('emails[type eq "work" and primary eq true].value')).toEqual({
    path: name('emails'),
    filter: { kind: 'and', left: equals('type', 'work'), right: equals('primary', true) },
    sub: 'value',
  })
  expect(parsePatchPath('members')).toEqual({ path: name('members'), filter: undefined, sub: undefined })
})

test('any text is parsed or refused', () => {
  const words = [
    'a',
    'b.c',
    'eq',
    'pr',
    'and',
    'or',
    'not',
    '(',
    ')',
    '[',
    ']',
    '"x"',
    '"',
    '\\',
    '1',
    'true',
    ' ',
    '.',
  ]
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...words), { maxLength: 200 }).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(text, (filter) => {
      for (const parse of [parseFilter, parsePatchPath]) {
        try {
          parse(filter)
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError)
        }
      }
    }),
  )
})
