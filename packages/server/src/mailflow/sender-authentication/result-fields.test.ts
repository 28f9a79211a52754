import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromAddresses } from './from-addresses.ts'
import { fieldValue, joinMessage, splitMessage } from './message-header.ts'
import { authenticationResults, receivedSpf, removeForgedResults } from './result-fields.ts'
import type { SenderResults } from './sender-results.ts'

const query = { clientAddress: '2001:db8::1', helo: 'mail.acme.test', sender: 'jane@acme.test' }
const results: SenderResults = {
  spf: { result: 'pass', domain: 'acme.test', identity: 'mailfrom' },
  dkim: [{ result: 'pass', domain: 'acme.test', selector: 's1', note: null }],
  dmarc: { result: 'pass', policy: 'reject', domain: 'acme.test' },
  arc: { result: 'none', seals: [] },
  alignedDomain: 'acme.test',
  from: 'jane@acme.test',
}

describe('the fields of results', () => {
  test('name what was checked', () => {
    expect(receivedSpf(results.spf, query)).toBe(
      'Received-SPF: Pass identity=mailfrom; client-ip="2001:db8::1"; helo=mail.acme.test; envelope-from=jane@acme.test',
    )
    expect(authenticationResults(results, query, 'mx.our.test')).toBe(
      'Authentication-Results: mx.our.test; spf=pass smtp.mailfrom=jane@acme.test; ' +
        'dmarc=pass (p=reject) header.from=acme.test; dkim=pass header.d=acme.test header.s=s1',
    )
  })

  test('are one line of printable ASCII below the limit, whatever the client said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), fc.nat(60), (text, count) => {
        const bad = { clientAddress: text, helo: text, sender: text }
        const dkim = Array.from(
          { length: count },
          () => ({ result: 'fail', domain: text, selector: text, note: text }) as const,
        )
        for (const line of [
          receivedSpf(results.spf, bad),
          authenticationResults({ ...results, dkim }, bad, 'mx.our.test'),
        ]) {
          expect(line).toMatch(/^[\x20-\x7e]*$/)
        }
        expect(authenticationResults({ ...results, dkim }, bad, 'mx.our.test').length).toBeLessThanOrEqual(
          998,
        )
      }),
    )
  })
})

describe('forged results', () => {
  test.each([
    ['Authentication-Results: mx.our.test; spf=pass', true],
    ['authentication-results : MX.Our.Test. ; spf=pass', true],
    ['Authentication-Results: (a (nested \\) one)) "mx.our.test" 1; spf=pass', true],
    ['Authentication-Results:\r\n\tmx.our.test\r\n\t; spf=pass', true],
    ['Authentication-Results: (never closed mx.our.test; spf=pass', true],
    ['Authentication-Results: ; spf=pass', true],
    ['Received-SPF: pass', true],
    ['Authentication-Results: mx.else.test; spf=pass', false],
    ['Authentication-Results: mx.our.test.else.test; spf=pass', false],
    ['X-Authentication-Results: mx.our.test; spf=pass', false],
  ])('%j: %s', (field, isForged) => {
    const { fields } = splitMessage(Buffer.from(`${field}\r\nFrom: a@b.test\r\n\r\n`))
    expect(removeForgedResults(fields, 'mx.our.test').length).toBe(isForged ? 1 : 0)
  })

  test('are removed from the last to the first', () => {
    const text = ['mx.our.test', 'mx.else.test', 'mx.our.test'].map(
      (id) => `Authentication-Results: ${id}; x=y\r\n`,
    )
    const { fields } = splitMessage(Buffer.from(text.join('')))
    const name = 'authentication-results'
    expect(removeForgedResults(fields, 'mx.our.test')).toEqual([
      { edit: 'change-header', name, occurrence: 3, value: '' },
      { edit: 'change-header', name, occurrence: 1, value: '' },
    ])
  })
})

describe('the author', () => {
  test.each([
    ['jane@acme.test', 'jane@acme.test'],
    ['Jane <Jane@ACME.test>', 'jane@acme.test'],
    ['"boss@bank.test" <evil@evil.test>', 'evil@evil.test'],
    ['boss@bank.test <evil@evil.test>', 'evil@evil.test'],
    ['(boss@bank.test) evil@evil.test', 'evil@evil.test'],
    ['"a <x@bank.test>, b" <evil@evil.test>', 'evil@evil.test'],
    ['"quoted local"@acme.test', '"quotedlocal"@acme.test'],
    ['<@relay.test:jane@acme.test>', 'jane@acme.test'],
    ['jane @ acme . test', 'jane@acme.test'],
    ['Jané <jane@bücher.example>', 'jane@xn--bcher-kva.example'],
  ])('of %j is %s', (value, address) => {
    const { fields } = splitMessage(Buffer.from(`From: ${value}\r\n\r\n`))
    expect(fromAddresses(fields.map(fieldValue)).only?.full).toBe(address)
  })

  test.each([
    ['', []],
    ['jane', []],
    ['<>', []],
    ['a@one.test, b@two.test', ['one.test', 'two.test']],
    ['<a@one.test> <b@two.test>', ['one.test', 'two.test']],
    ['Team: a@one.test, <b@two.test>;', ['one.test', 'two.test']],
    ['a@one.test, nobody@invalid', ['one.test']],
    ['<a@one.test', ['one.test']],
  ])('of %j is nobody alone', (value, domains) => {
    const found = fromAddresses([value])
    if (value !== '<a@one.test') expect(found.only).toBeNull()
    expect(found.addresses.map(({ domain }) => domain)).toEqual(domains)
  })

  test('of two fields is both', () => {
    const found = fromAddresses(['a@one.test', 'b@two.test'])
    expect([found.only, found.addresses.length]).toEqual([null, 2])
  })
})

describe('a message', () => {
  test('is split and joined without a change', () => {
    const text = 'From: a@b.test\r\nSubject: x\r\n y\r\n\r\nbody\r\n\r\nmore'
    const { fields, body } = splitMessage(Buffer.from(text))
    expect(joinMessage(fields, body).toString()).toBe(text)
  })

  test('of any bytes is read, in linear time', () => {
    const piece = fc.constantFrom(
      'From',
      ':',
      ' ',
      '\t',
      '\r',
      '\n',
      '\r\n',
      '<',
      '>',
      '"',
      '(',
      ')',
      '\\',
      '@',
      'a',
      '\0',
      'é',
      ',',
      ';',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const split = splitMessage(Buffer.from(pieces.join('')))
        expect(() => fromAddresses(split.fields.map(fieldValue))).not.toThrow()
        expect(split.body.toString('latin1').replaceAll('\r\n', '')).not.toContain('\n')
        removeForgedResults(split.fields, 'mx.our.test')
      }),
    )
    for (const pattern of ['\r', '\n ', ' ', ':', '(', '<', '"', 'From:', 'a: b\n', '\\', 'a@b,']) {
      const large = Buffer.from(`From: ${pattern.repeat(Math.ceil(1_000_000 / pattern.length))}`)
      const started = performance.now()
      const { fields } = splitMessage(large)
      fromAddresses(fields.filter(({ line }) => line.length < 16_384).map(fieldValue))
      removeForgedResults(fields, 'mx.our.test')
      expect(performance.now() - started).toBeLessThan(5000)
    }
  })
})
