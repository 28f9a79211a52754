import { displayDomain } from '@gatehouse/contract/canonical-address'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOwnableDomain, normaliseDomain } from './domain-name.ts'
import { isHostName } from './email-address.ts'

describe('the canonical form of a domain', () => {
  test.each([
    ['example.test', 'example.test'],
    [' EXAMPLE.Test ', 'example.test'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['straße.example', 'xn--strae-oqa.example'],
  ])('of %s is %s', (text, expected) => {
    expect(normaliseDomain(text)).toBe(expected)
  })

  test.each([
    '',
    ' ',
    'test',
    '.',
    'a..b',
    '.example.test',
    'example.test.',
    'a b.test',
    'a/b.test',
    'http://a.test',
    'a.test:80',
    'user@a.test',
    'a%2eb.test',
    'a.test?x',
    'a.test#x',
    '[::1]',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    'a_b.test',
    '-a.test',
    'xn--a.test',
    'a\0.test',
    'a\\b.test',
    `${'a'.repeat(64)}.test`,
    `${'abcdefg.'.repeat(25)}test`,
  ])('%j has none', (text) => {
    expect(normaliseDomain(text)).toBeUndefined()
  })

  test('is idempotent, and a host name that fits the database', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.webUrl(), fc.string({ unit: 'grapheme' })), (text) => {
        const name = normaliseDomain(text)
        if (name === undefined) return true
        return normaliseDomain(name) === name && isHostName(name) && name.length <= 191
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a domain that a customer may add', () => {
  const taken = {
    own: ['example.test', 'portal.gatehouse.test'],
    reserved: ['localhost', 'local', 'held.test'],
  }
  test.each([
    ['company.test', true],
    ['company.co.uk', true],
    ['mail.company.test', true],
    ['wwwcompany.test', true],
    ['example.test.company', true],
    ['notexample.test', true],
    ['www.company.test', false],
    ['co.uk', false],
    ['com', false],
    ['github.io', false],
    ['blogspot.com', false],
    ['example.test', false],
    ['sub.example.test', false],
    ['a.b.example.test', false],
    ['gatehouse.test', false],
    ['x.portal.gatehouse.test', false],
    ['other.gatehouse.test', true],
    ['held.test', false],
    ['a.held.test', false],
    ['upheld.test', true],
    ['printer.local', false],
    ['my.localhost', false],
    ['xn--bcher-kva.test', true],
    ['s3.amazonaws.com', false],
  ])('%s: %s', (name, expected) => {
    expect(isOwnableDomain(name, taken)).toBe(expected)
  })
})

describe('the Unicode form', () => {
  test.each([
    ['xn--bcher-kva.example', 'bücher.example'],
    ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['plain.example', 'plain.example'],
  ])('of %s is %s', (name, expected) => {
    expect(displayDomain(name)).toBe(expected)
  })
})
