import { describe, expect, test } from 'vitest'
import { canonicalAddress, displayAddress, displayDomain } from './canonical-address.ts'
import { emailAddress } from './email-address.ts'

describe('the canonical form of an address', () => {
  test.each([
    ['jane@münchen.example', 'jane@xn--mnchen-3ya.example'],
    ['Jane@MÜNCHEN.example', 'jane@xn--mnchen-3ya.example'],
    ['jane@mu\u0308nchen.example', 'jane@xn--mnchen-3ya.example'],
    ['jane@xn--mnchen-3ya.example', 'jane@xn--mnchen-3ya.example'],
    [' Jane@Example.test ', 'jane@example.test'],
    ['иван@почта.рф', 'иван@xn--80a1acny.xn--p1ai'],
    ['no address', 'no address'],
    ['jane@exa mple.test', 'jane@exa mple.test'],
    ['jane@example.test:25', 'jane@example.test:25'],
    ['jane@', 'jane@'],
    ['jane@example.test\0', 'jane@example.test\0'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
    expect(canonicalAddress(canonical)).toBe(canonical)
  })
})

test('a field accepts both forms of an address and returns the canonical one', () => {
  expect(emailAddress.parse('jane@почта.рф')).toBe('jane@xn--80a1acny.xn--p1ai')
  expect(emailAddress.parse('jane@xn--80a1acny.xn--p1ai')).toBe('jane@xn--80a1acny.xn--p1ai')
})

test.each([
  'jane',
  'jane@localhost',
  'jane@127.1',
  'jane@exa_mple.test',
  'jäne@example.test',
  'a@b@example.test',
])('a field refuses %s', (text) => {
  expect(emailAddress.safeParse(text).success).toBe(false)
})

describe('the display form of an address', () => {
  test.each([
    ['xn--mnchen-3ya.example', 'münchen.example'],
    ['xn--80a1acny.xn--p1ai', 'почта.рф'],
    ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['xn--bcher-kva.xn--strae-oqa.example', 'bücher.straße.example'],
    ['xn--e28h.example', '😀.example'],
    ['example.test', 'example.test'],
  ])('has the domain %s as %s', (ascii, name) => {
    expect(canonicalAddress(`jane@${name}`)).toBe(`jane@${ascii}`)
    expect(displayDomain(ascii)).toBe(name)
    expect(displayAddress(`jane@${ascii}`)).toBe(`jane@${name}`)
  })

  test.each(['xn--', 'xn--a', 'xn--99999999.example', 'xn--zzzzzzzzzzzzzz.test', 'xn--abc-.test'])(
    'keeps %s, which encodes nothing',
    (name) => {
      expect(displayDomain(name)).toBe(name)
    },
  )
})
