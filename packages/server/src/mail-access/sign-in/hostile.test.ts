import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { servicesHost, servicesSecret, withMailServices } from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { decodePercent, isHeaderSafe, Unreadable } from './hooks/wire-text.ts'

const app = useTestApp(withMailServices)

/** Valid header characters (RFC 9110 §5.5), as Node passes them on. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 80,
})

const spoilt = fc.oneof(
  headerText,
  headerText.map(encodeURIComponent),
  fc.constantFrom(
    '%',
    '%00',
    '%0d%0aAuth-Status: OK',
    '%ff',
    '%c3',
    '%E2%82',
    'a@b',
    'a@%00.test',
    'x'.repeat(4000),
  ),
  fc.constantFrom(
    "' or 1=1 --",
    '__proto__',
    'constructor',
    '\\',
    'jo\\@example.test',
    '::1',
    '1.2.3.4.5',
    '-1',
    '1e999',
  ),
)

const names = [
  'auth-user',
  'auth-pass',
  'auth-protocol',
  'auth-method',
  'auth-login-attempt',
  'client-ip',
  'proxy-protocol-addr',
]

describe("for arbitrary input of a proxy's client", () => {
  test.each(['/api/webhooks/nginx', '/api/webhooks/nginx-roundcube'])(
    '%s answers with a refusal and never with an error',
    async (path) => {
      const usual = {
        'auth-user': 'nobody@example.test',
        'auth-pass': 'x',
        'auth-protocol': 'imap',
        'client-ip': '185.70.40.1',
        'proxy-protocol-addr': '185.70.40.1',
      }
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...names), spoilt, async (name, value) => {
          const { status, headers } = await app().call(`GET ${path}`, {
            host: servicesHost,
            headers: { 'x-services-secret': servicesSecret, ...usual, [name]: value },
          })
          expect(status).toBe(200)
          expect(headers['auth-status']).toMatch(/^(temporary )?authentication failure$/)
          expect(headers).not.toHaveProperty('auth-server')
        }),
        { numRuns: 150 },
      )
    },
  )

  test('basic authentication responds with an allowed status', async () => {
    const basic = spoilt.map((text) => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`)
    await fc.assert(
      fc.asyncProperty(fc.oneof(basic, spoilt), spoilt, spoilt, async (authorization, user, ip) => {
        const { status } = await app().call('GET /api/webhooks/nginx-httpauth', {
          host: servicesHost,
          headers: {
            'x-services-secret': servicesSecret,
            authorization,
            'php-auth-user': user,
            'php-auth-pw': user,
            'x-real-ip': ip,
          },
        })
        expect([200, 401, 403]).toContain(status)
      }),
      { numRuns: 150 },
    )
  })

  test('saslauthd responds with a rejection', async () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(spoilt, spoilt, spoilt).map((parts) => Buffer.from(parts.join(' '))),
    )
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { status } = await app().call('POST /api/webhooks/cyrus-sasl', {
          host: servicesHost,
          headers: { 'x-services-secret': servicesSecret },
          body,
        })
        expect(status).toBe(403)
      }),
      { numRuns: 150 },
    )
  })
})

describe('URL encoding', () => {
  test('is decoded for any text and any encoder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodePercent(encodeURIComponent(text))).toBe(text)
        // nginx encodes only spaces, percent signs and characters not allowed in headers
        const byNginx = text.replaceAll(
          /[\0-\x20%]/g,
          (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
        )
        expect(decodePercent(byNginx)).toBe(text)
      }),
    )
  })

  test('of invalid text is rejected', () => {
    expect(() => decodePercent('%ff')).toThrow(Unreadable)
    expect(decodePercent('100%')).toBe('100%')
    expect(decodePercent('%zz%4')).toBe('%zz%4')
    expect(decodePercent('%EF%BB%BFx')).toBe('\ufeffx')
  })
})

test.each([
  ['simple123', true],
  ['with blanks', true],
  [' before', false],
  ['after ', false],
  ['', false],
  ['a\r\nb', false],
  ['a\tb', false],
  ['Grüße', false],
  ['\x7f', false],
])('%j is header-safe: %s', (text, isSafe) => {
  expect(isHeaderSafe(text)).toBe(isSafe)
})
