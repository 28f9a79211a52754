import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { senderEntry } from '../../directory/groups/sender-policy.ts'
import { matchingEntry, senderAddress } from './sender-address.ts'
import { isAuthenticated } from './sender-authentication.ts'

describe('the address of a sender', () => {
  test.each([
    ['jane@acme.test', 'jane@acme.test', 'acme.test'],
    ['<Jane@ACME.test>', 'jane@acme.test', 'acme.test'],
    [' jane@acme.test. ', 'jane@acme.test', 'acme.test'],
    ['jane@bücher.example', 'jane@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['"a@b"@acme.test', '"a@b"@acme.test', 'acme.test'],
    ['jane@mail.acme.test', 'jane@mail.acme.test', 'mail.acme.test'],
  ])('%j is %s of %s', (text, full, domain) => {
    expect(senderAddress(text)).toEqual({ full, domain })
  })

  test.each([
    '',
    '<>',
    'jane',
    '@acme.test',
    'jane@',
    'jane@[192.0.2.1]',
    'jane@192.0.2.1',
    'jane@localhost',
    'jane@evil.test/.acme.test',
    'jane@evil.test\n.acme.test',
    'jane@a b.acme.test',
    'jane@.acme.test',
  ])('%j has none', (text) => {
    expect(senderAddress(text)).toBeUndefined()
  })
})

describe('an entry of allowed senders', () => {
  test.each([
    ['jane@acme.test', 'jane@acme.test', true],
    ['jane@acme.test', 'JANE@Acme.test', true],
    ['jane@acme.test', 'jane+tag@acme.test', false],
    ['jane@acme.test', 'jane@sub.acme.test', false],
    ['acme.test', 'jane@acme.test', true],
    ['acme.test', 'jane@sub.acme.test', false],
    ['acme.test', 'jane@notacme.test', false],
    ['.acme.test', 'jane@acme.test', true],
    ['.acme.test', 'jane@sub.acme.test', true],
    ['.acme.test', 'jane@a.b.acme.test', true],
    ['.acme.test', 'jane@notacme.test', false],
    ['.acme.test', 'jane@acme.test.evil.test', false],
    ['.ch', 'jane@acme.ch', true],
    ['.ch', 'jane@acme.li', false],
    ['bücher.example', 'jane@BÜCHER.example', true],
  ])('%s for %s: %s', (text, sender, matches) => {
    const entry = senderEntry(text)
    const address = senderAddress(sender)
    if (entry === undefined || address === undefined) throw new Error('the table is wrong')
    expect(matchingEntry(['other.example', entry], address)).toBe(matches ? entry : undefined)
  })

  test('that is a suffix matches a domain exactly when it is that domain or lies below it', () => {
    const label = fc.stringMatching(/^[a-z]{1,4}$/)
    const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'))
    fc.assert(
      fc.property(name, name, fc.boolean(), (base, other, isBelow) => {
        const domain = isBelow ? `${other}.${base}` : other
        const expected = domain === base || domain.endsWith(`.${base}`)
        return (matchingEntry([`.${base}`], { full: `jane@${domain}`, domain }) !== undefined) === expected
      }),
    )
  })
})

describe('alignment', () => {
  test.each([
    ['acme.test', 'acme.test', true],
    ['acme.test', 'ACME.test', true],
    ['acme.test', 'bounce.acme.test', true],
    ['news.acme.test', 'acme.test', true],
    ['acme.test', 'evil.test', false],
    ['acme.co.uk', 'evil.co.uk', false],
    ['jane.github.io', 'evil.github.io', false],
    ['acme.test', '', false],
    ['acme.test', 'acme.test\n', true],
    ['acme.test', 'acme.test/evil', false],
  ])('of %s with %j: %s', (domain, authenticated, expected) => {
    expect(isAuthenticated(domain, { method: 'dkim', domain: authenticated })).toBe(expected)
  })

  test('needs authentication', () => {
    expect(isAuthenticated('acme.test', null)).toBe(false)
  })
})
