import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authenticationResults } from './result-fields.ts'
import { trustedProof } from './trusted-results.ts'

const proof = (...values: string[]) =>
  trustedProof(
    values.map((value) => ({ name: 'Authentication-Results', value })),
    'mx.acme.test',
    'partner.test',
  )

test.each([
  ['mx.acme.test; dkim=pass header.d=partner.test', true],
  ['mx.acme.test; dkim=pass header.i=@partner.test', true],
  ['mx.acme.test; dkim=pass header.d=mail.partner.test header.s=k1', true],
  ['mx.acme.test; dkim=fail header.d=partner.test', false],
  ['mx.acme.test; dkim=pass header.d=evil.test', false],
  ['mx.acme.test; spf=pass smtp.mailfrom="ann@partner.test"', true],
  ['mx.acme.test; spf=pass smtp.helo=partner.test', false],
  ['mx.acme.test; auth=pass (cram-md5) smtp.auth=ann@partner.test', true],
  ['mx.acme.test; dmarc=pass (p=reject) header.from=partner.test', true],
  ['mx.acme.test; dkim=pass header.d=partner.test; dmarc=fail header.from=partner.test', false],
  ['mx.acme.test; spf=pass (x; dkim=pass header.d=partner.test) smtp.mailfrom=x@evil.test', false],
  ['mx.acme.test; spf=fail smtp.mailfrom="x\\"; dkim=pass header.d=partner.test; y"', false],
  ['"mx.acme.test" 1; DKIM=PASS header.d=Partner.Test', true],
  ['mx.acme.test; none', undefined],
  ['mx.evil.test; dkim=pass header.d=partner.test', undefined],
  ['(mx.acme.test) mx.evil.test; dkim=pass header.d=partner.test', undefined],
  ['mx.acme.test.evil.test; dkim=pass header.d=partner.test', undefined],
  ['', undefined],
])('%j proves the author: %s', (value, expected) => {
  expect(proof(value)).toBe(expected)
})

test('several fields of the server count together', () => {
  expect(
    proof(
      'mx.acme.test; spf=fail smtp.mailfrom=x@evil.test',
      'mx.acme.test; dkim=pass header.d=partner.test',
    ),
  ).toBe(true)
})

test('the field that the gateway writes can be read', () => {
  const field = authenticationResults(
    {
      spf: { result: 'pass', domain: 'partner.test', identity: 'mailfrom' },
      dkim: [],
      dmarc: { result: 'pass', policy: 'reject', domain: 'partner.test' },
      arc: { result: 'none', seals: [] },
      alignedDomain: 'partner.test',
      from: 'ann@partner.test',
    },
    { clientAddress: '192.0.2.7', helo: 'mx', sender: 'ann@partner.test' },
    'mx.acme.test',
  )
  expect(proof(field.slice(field.indexOf(':') + 1))).toBe(true)
})

test('any text can be read', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '=', ';', '(', ')', '"', '\\', '.', ' '), maxLength: 60 }),
      (text) => {
        expect(proof(`mx.acme.test; ${text}`)).not.toBe(true)
      },
    ),
  )
})
