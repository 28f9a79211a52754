import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, hopsOf, provenAddress, proxyRules, untrustedForwarder } from './client-address.ts'
import { networkOf } from './network-list.ts'

const rules = (header = 'x-forwarded-for') =>
  proxyRules({ TRUSTED_PROXIES: ['127.0.0.1', '10.0.0.0/8'], CLIENT_IP_HEADER: header })
const from = (remoteAddress: string | undefined, headers: Record<string, string>) =>
  // the only properties that are read
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage
const forged = { 'x-client-ip': '1.1.1.1', 'x-real-ip': '1.1.1.1', forwarded: 'for=1.1.1.1' }

test.each<[string, string | undefined, Record<string, string>, string]>([
  ['is that of the connection', '8.8.8.8', {}, '8.8.8.8'],
  ['in IPv6 notation is the IPv4 address', '::ffff:8.8.8.8', {}, '8.8.8.8'],
  ['cannot be forged without a proxy', '8.8.8.8', { ...forged, 'x-forwarded-for': '1.1.1.1' }, '8.8.8.8'],
  ['cannot be forged in other headers', '127.0.0.1', { ...forged, 'x-forwarded-for': '8.8.8.8' }, '8.8.8.8'],
  ['is not read from other headers', '127.0.0.1', forged, '127.0.0.1'],
  ['is what a trusted proxy forwards', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, '8.8.8.8'],
  ['is the last untrusted one', '127.0.0.1', { 'x-forwarded-for': '1.1.1.1, 8.8.8.8' }, '8.8.8.8'],
  ['is found behind several proxies', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8,10.1.1.1' }, '8.8.8.8'],
  ['is the outermost of trusted ones', '127.0.0.1', { 'x-forwarded-for': '10.1.1.1' }, '10.1.1.1'],
  ['ends before nonsense', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8, nobody, 10.1.1.1' }, '10.1.1.1'],
  ['is not empty for an empty header', '127.0.0.1', { 'x-forwarded-for': '' }, '127.0.0.1'],
  ['of a closed connection is empty', undefined, { 'x-forwarded-for': '8.8.8.8' }, ''],
])('an address %s', (_, remote, headers, expected) => {
  expect(clientAddress(from(remote, headers), rules())).toBe(expected)
})

test.each<[string, string, Record<string, string>, string]>([
  ['is what a trusted proxy writes', '127.0.0.1', { 'x-real-ip': '8.8.8.8' }, '8.8.8.8'],
  ['is not what anybody else writes', '8.8.8.8', { 'x-real-ip': '1.1.1.1' }, '8.8.8.8'],
  [
    'cannot be forged in other headers',
    '127.0.0.1',
    { 'x-real-ip': '8.8.8.8', 'x-forwarded-for': '1.1.1.1', 'x-client-ip': '1.1.1.1' },
    '8.8.8.8',
  ],
  ['is not read from a list', '127.0.0.1', { 'x-real-ip': '1.1.1.1, 8.8.8.8' }, '127.0.0.1'],
  ['is not followed through a trusted address', '127.0.0.1', { 'x-real-ip': '10.1.1.1' }, '10.1.1.1'],
  ['is not nonsense', '127.0.0.1', { 'x-real-ip': '1:2:3' }, '127.0.0.1'],
])('an address in its own header %s', (_, remote, headers, expected) => {
  expect(clientAddress(from(remote, headers), rules('x-real-ip'))).toBe(expected)
})

test.each<[string, string, Record<string, string>, string | undefined]>([
  ['of a direct connection', '127.0.0.1', {}, '127.0.0.1'],
  ['that a trusted proxy forwards', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, '8.8.8.8'],
  ['of a proxy that is not trusted', '192.0.2.1', { 'x-forwarded-for': '8.8.8.8' }, undefined],
  ['of a proxy that names the client elsewhere', '127.0.0.1', { 'x-real-ip': '8.8.8.8' }, undefined],
  ['of a proxy that names no client', '192.0.2.1', { via: '1.1 proxy' }, undefined],
  ['of a proxy that forwards nonsense', '127.0.0.1', { 'x-forwarded-for': 'nobody' }, undefined],
])('an allowlist of networks uses the address %s', (_, remote, headers, expected) => {
  expect(provenAddress(from(remote, headers), rules())).toBe(expected)
})

test('a header defined by the call does not make the address untrusted', () => {
  const request = from('192.0.2.1', { 'x-real-ip': '8.8.8.8' })
  expect(provenAddress(request, rules())).toBeUndefined()
  expect(provenAddress(request, rules(), 'x-real-ip')).toBe('192.0.2.1')
})

test('the hops of a request begin with the nearest address and end with the client', () => {
  const request = from('127.0.0.1', { 'x-forwarded-for': '1.1.1.1, 8.8.8.8, 10.1.1.1' })
  expect(hopsOf(request, rules())).toEqual(['127.0.0.1', '10.1.1.1', '8.8.8.8'])
})

test.each<[string, Record<string, string>, string | undefined]>([
  ['192.0.2.1', { 'x-forwarded-for': '8.8.8.8' }, '192.0.2.1'],
  ['192.0.2.1', { forwarded: 'for=8.8.8.8' }, '192.0.2.1'],
  ['192.0.2.1', {}, undefined],
  ['127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, undefined],
])('the forwarding neighbour of %s with %j is %s', (remote, headers, expected) => {
  expect(untrustedForwarder(from(remote, headers), rules())).toBe(expected)
})

test.each([
  ['8.8.8.8', '8.8.8.8'],
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:bbbb:cccc:dddd:eeee', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001::5', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('the network of %j is %j', (ip, expected) => {
  expect(networkOf(ip)).toBe(expected)
})
