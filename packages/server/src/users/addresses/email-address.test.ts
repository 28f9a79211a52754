import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isHostName, longestAddress, parseEmailAddress } from './email-address.ts'

describe('an address', () => {
  test.each([
    ['ada@example.test', 'ada@example.test'],
    [' Ada.Lovelace@EXAMPLE.Test\n', 'ada.lovelace@example.test'],
    ['a@b.co', 'a@b.co'],
    ["o'neil+tag@sub.example.test", "o'neil+tag@sub.example.test"],
    ['!#$%&*/=?^_`{|}~-@example.test', '!#$%&*/=?^_`{|}~-@example.test'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    [`${'x'.repeat(64)}@example.test`, `${'x'.repeat(64)}@example.test`],
  ])('%s is %s', (text, full) => {
    const address = parseEmailAddress(text)
    expect(address?.full).toBe(full)
    expect(`${address?.local}@${address?.domain}`).toBe(full)
  })

  test.each([
    '',
    ' ',
    'ada',
    '@',
    'ada@',
    '@example.test',
    'ada@test',
    'ada@localhost',
    'ada@@example.test',
    'ada@b@example.test',
    '.ada@example.test',
    'ada.@example.test',
    'a..b@example.test',
    'a b@example.test',
    'ada@exa mple.test',
    '"ada"@example.test',
    'ada(x)@example.test',
    '<ada@example.test>',
    'ada@example.test,b@example.test',
    'ada@example.test\r\nbcc:b@example.test',
    'ada\0@example.test',
    'ädä@example.test',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@example.123',
    'ada@-example.test',
    'ada@example-.test',
    'ada@example..test',
    'ada@.example.test',
    'ada@example.test.',
    'ada@exa_mple.test',
    `${'x'.repeat(65)}@example.test`,
    `ada@${'x'.repeat(64)}.test`,
    `a@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.abcde.test`,
    '🔑@example.test',
    '\u202eada@example.test',
  ])('%j is none', (text) => {
    expect(parseEmailAddress(text)).toBeUndefined()
  })

  test('is parsed idempotently, contains one "@", and fits the database', () => {
    const nearly = fc
      .tuple(fc.string({ unit: 'grapheme', maxLength: 70 }), fc.constantFrom('@', '', '@@'), fc.domain())
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), nearly, fc.string({ unit: 'binary' })), (text) => {
        const address = parseEmailAddress(text)
        if (address === undefined) return true
        expect(parseEmailAddress(address.full)).toEqual(address)
        expect(address.full).toBe(address.full.toLowerCase())
        expect(address.full.length).toBeLessThanOrEqual(longestAddress)
        expect(address.full).toMatch(/^[\x21-\x7e]+$/)
        return address.full.split('@').length === 2
      }),
      { numRuns: 1000 },
    )
  })
})

test.each([
  ['example.test', true],
  ['a.b.c.d', true],
  ['x'.repeat(63).concat('.test'), true],
  ['1.example', true],
  ['example', false],
  ['1.2.3.4', false],
  ['Example.test', false],
  ['a..b', false],
  ['', false],
  ['.', false],
  [`${'a.'.repeat(126)}ab`, false],
])('%s is a host name: %s', (text, expected) => {
  expect(isHostName(text)).toBe(expected)
})

test('names that need no parser have the form that it gives them', () => {
  const label = fc.stringMatching(/^[a-z0-9-]{1,8}$/)
  const names = fc.tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.stringMatching(/^[a-z]{2,6}$/))
  fc.assert(
    fc.property(names, ([labels, last]) => {
      const name = [...labels, last].join('.')
      fc.pre(URL.canParse(`http://${name}`))
      expect(canonicalAddress(`ada@${name}`)).toBe(`ada@${new URL(`http://${name}`).hostname}`)
    }),
  )
})
