import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseParameterised } from './content-type.ts'
import { mailboxAddresses, soleAuthor } from './mailbox-addresses.ts'
import { decodeText } from './part-text.ts'

describe('the parameters of', () => {
  test.each([
    ['text/plain', 'text/plain', {}],
    [
      'TEXT/Calendar; METHOD=request;charset="utf-8"',
      'text/calendar',
      { method: 'request', charset: 'utf-8' },
    ],
    ['a/b; boundary="a;b\\"c"; x=1 (comment)', 'a/b', { boundary: 'a;b"c', x: '1' }],
    ['a/b; x=first; x=second', 'a/b', { x: 'first' }],
    ["a/b; name*=utf-8'de'f%C3%BCr.ics", 'a/b', { name: 'für.ics' }],
    ["a/b; name*1=b.ics; name*0*=iso-8859-1''%FC", 'a/b', { name: 'üb.ics' }],
    ["a/b; name*=nonsense'x'%FC", 'a/b', { name: 'ü' }],
    [';;;=;a', '', {}],
  ])('%s', (text, value, parameters) => {
    const parsed = parseParameterised(text)
    expect({ value: parsed.value, parameters: Object.fromEntries(parsed.parameters) }).toEqual({
      value,
      parameters,
    })
  })

  test('any text never fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => parseParameterised(text).value !== undefined),
    )
  })
})

describe('the addresses in', () => {
  test.each([
    ['jane@acme.test', ['jane@acme.test']],
    ['Jane <JANE@Acme.test>', ['jane@acme.test']],
    ['"Doe, Jane" <jane@acme.test>, bob@acme.test', ['jane@acme.test', 'bob@acme.test']],
    ['"ceo@acme.test" <evil@evil.test>', ['evil@evil.test']],
    ['ceo@acme.test <evil@evil.test>', ['evil@evil.test']],
    ['jane@acme.test (ceo, at <x@y.test>)', ['jane@acme.test']],
    ['Friends: jane@acme.test, bob@acme.test;', ['jane@acme.test', 'bob@acme.test']],
    ['<@relay.test:jane@acme.test>', ['jane@acme.test']],
    ['undisclosed-recipients:;', []],
    ['', []],
    ['<>', []],
  ])('%s', (text, addresses) => {
    expect(mailboxAddresses(text)).toEqual(addresses)
  })

  test('any text never fail', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(mailboxAddresses(text))))
  })

  test('a From field give an author only when there is exactly one', () => {
    expect(soleAuthor(['Jane <jane@acme.test>'])).toBe('jane@acme.test')
    expect(soleAuthor(['jane@acme.test, bob@acme.test'])).toBeNull()
    expect(soleAuthor(['jane@acme.test', 'bob@acme.test'])).toBeNull()
    expect(soleAuthor([])).toBeNull()
  })
})

describe('text in the charset', () => {
  test.each([
    ['utf-8', Buffer.from('Zürich'), 'Zürich'],
    ['us-ascii', Buffer.from('Zürich'), 'Zürich'],
    ['', Buffer.from('Zürich', 'latin1'), 'Zürich'],
    ['utf-8', Buffer.from('Zürich', 'latin1'), 'Zürich'],
    ['iso-8859-1', Buffer.from('Zürich', 'latin1'), 'Zürich'],
    ['koi8-r', Buffer.from([0xf2, 0xd5]), 'Ру'],
    ['no-such-charset', Buffer.from('Zürich'), 'Zürich'],
    ['utf-16le', Buffer.from('Zürich', 'utf16le'), 'Zürich'],
    ['utf-8', Buffer.from('\ufeffBEGIN'), 'BEGIN'],
  ])('%s is decoded', (charset, bytes, expected) => {
    expect(decodeText(bytes, charset)).toBe(expected)
  })
})
