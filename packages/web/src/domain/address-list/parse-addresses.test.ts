import { expect, test } from 'vitest'
import { isSeveral, parseAddresses, withoutKnown } from './parse-addresses.ts'

test.each([
  ['one', 'a@b.test', ['a@b.test']],
  ['commas', 'a@b.test, c@d.test,e@f.test', ['a@b.test', 'c@d.test', 'e@f.test']],
  ['blanks and line ends', ' a@b.test  c@d.test\r\ne@f.test\n', ['a@b.test', 'c@d.test', 'e@f.test']],
  ['semicolons', 'a@b.test;c@d.test;', ['a@b.test', 'c@d.test']],
  ['names', 'Jane Favre <jane@b.test>, "Keller, Ned" <ned@b.test>', ['jane@b.test', 'ned@b.test']],
  ['a link', 'mailto:a@b.test', ['a@b.test']],
  ['no address', 'nonsense', ['nonsense']],
  ['nothing', ' \n ', []],
])('addresses are read from %s', (_, text, expected) => {
  expect(parseAddresses(text)).toEqual(expected)
})

test('recognizes several addresses', () => {
  expect(isSeveral(' a@b.test ')).toBe(false)
  expect(isSeveral('a@b.test c@d.test')).toBe(true)
  expect(isSeveral('a@b.test,')).toBe(true)
})

test('does not add existing entries again, regardless of case', () => {
  const { added, repeated } = withoutKnown(['A@b.test', 'new@b.test', 'NEW@b.test'], ['a@B.test'])
  expect(added).toEqual(['new@b.test'])
  expect(repeated).toBe(2)
})

test('treats both spellings of a domain as the same address', () => {
  const { added, repeated } = withoutKnown(['a@xn--mnchen-3ya.test'], ['a@münchen.test'])
  expect({ added, repeated }).toEqual({ added: [], repeated: 1 })
})

test('parses ten thousand addresses quickly', () => {
  const many = Array.from({ length: 10_000 }, (_, number) => `user${number}@b.test`)
  expect(parseAddresses(many.join('\n'))).toHaveLength(10_000)
})
