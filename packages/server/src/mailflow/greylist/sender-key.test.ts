import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientNetwork } from './client-network.ts'
import { senderKey } from './sender-key.ts'

describe('the network of a client', () => {
  test.each([
    ['192.0.2.17', '192.0.2.0/24'],
    ['192.0.2.255', '192.0.2.0/24'],
    ['192.0.3.17', '192.0.3.0/24'],
    ['::ffff:192.0.2.17', '192.0.2.0/24'],
    ['0:0:0:0:0:FFFF:192.0.2.17', '192.0.2.0/24'],
    ['::ffff:c000:211', '192.0.2.0/24'],
    ['64:ff9b::c000:211', '192.0.2.0/24'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:0001:0002:0003:0004', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['IPv6:2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network)
  })

  test.each(['', 'unknown', '192.0.2', '192.0.2.256', '1.2.3.4\n', '2001:db8::1]', 'example.test'])(
    '%j has none',
    (address) => {
      expect(clientNetwork(address)).toBeUndefined()
    },
  )

  test('is the same for all addresses of one /64, however they are written', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 }), (address, rest) => {
        const network = clientNetwork(address)
        if (network === undefined || network.endsWith('/24')) return true
        const neighbour = `${network.replace('::/64', '')}:${rest.map((n) => n.toString(16)).join(':')}`
        return clientNetwork(neighbour) === network || network === '0:0:0:0::/64'
      }),
    )
  })
})

describe('the key of a sender', () => {
  test.each([
    ['jane@acme.test', 'jane', 'acme.test'],
    ['<Jane@ACME.test>', 'jane', 'acme.test'],
    ['jane@acme.test.', 'jane', 'acme.test'],
    ['jane@bücher.example', 'jane', 'xn--bcher-kva.example'],
    ['', '', ''],
    ['<>', '', ''],
    ['jane', 'jane', ''],
    ['jane+news@acme.test', 'jane', 'acme.test'],
    ['+jane@acme.test', '+jane', 'acme.test'],
    ['user1@acme.test', 'user1', 'acme.test'],
    ['anna1985@acme.test', 'anna1985', 'acme.test'],
    ['bounce-12345@acme.test', 'bounce-#', 'acme.test'],
    ['bounces-12-345-678@acme.test', 'bounces-#', 'acme.test'],
    ['bounces+12345-ab12-jane=acme.test@esp.test', 'bounces', 'esp.test'],
    ['list-return-77-jane=acme.test@lists.test', 'list-return-#-jane=acme.test', 'lists.test'],
    ['prvs=1234abcdef=jane@acme.test', 'jane', 'acme.test'],
    ['btv1==123abc456==jane@acme.test', 'jane', 'acme.test'],
    ['SRS0=x7Zq=3D=origin.test=jane@forward.test', 'origin.test=jane', 'forward.test'],
    ['SRS1=abcd=other.test==x7Zq=3D=origin.test=jane@forward.test', 'origin.test=jane', 'forward.test'],
    ['0100018f3b2a1c4d-1a2b3c4d-5e6f-7a8b-9c0d-abcdefabcdef-000000@ses.test', '#', 'ses.test'],
    ['msgid.6f1e2d3c.x@acme.test', 'msgid.#.x', 'acme.test'],
    ['deadbeef@acme.test', 'deadbeef', 'acme.test'],
  ])('%s is %s at %s', (sender, local, domain) => {
    expect(senderKey(sender)).toEqual({ local, domain })
  })

  test('is one key for the bounce addresses of two messages', () => {
    const first = senderKey('0100018f3b2a1c4d-1a2b3c4d-5e6f-7a8b-9c0d-1e2f3a4b5c6d-000000@ses.test')
    const second = senderKey('0100018f9999aaaa-deadbeef-abcd-cafe-beef-feedfacefeed-000000@ses.test')
    expect(second).toEqual(first)
  })

  test('fits the database for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '@',
        '+',
        '=',
        '-',
        '<',
        '>',
        'srs0=',
        'prvs=',
        '123',
        'a1b2c3',
        'acme.test',
        '\0',
        '\ud800',
        ' ',
      ),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        (sender) => {
          const { local, domain } = senderKey(sender)
          expect(local.length).toBeLessThanOrEqual(64)
          expect(domain.length).toBeLessThanOrEqual(255)
          expect(local + domain).not.toMatch(/[\p{C}\s]/u)
          expect(senderKey(`<${sender.trim()}>`).domain.length).toBeLessThanOrEqual(255)
        },
      ),
      { numRuns: 500 },
    )
    expect(senderKey('<'.repeat(100_000)).domain).toBe('')
    expect(senderKey(`${'-1'.repeat(100_000)}@a.test`).local.length).toBeLessThanOrEqual(64)
  })
})
