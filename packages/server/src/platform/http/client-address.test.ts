import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'
import { networkList, networkOf } from './network-list.ts'

const isTrusted = networkList(['127.0.0.1', '10.0.0.0/8'])
const seen = (remoteAddress: string | undefined, headers: Record<string, string>) =>
  // all that is looked at
  clientAddress({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, isTrusted)

test.each<[string, string | undefined, Record<string, string>, string]>([
  ['is that of the connection', '8.8.8.8', {}, '8.8.8.8'],
  ['in the clothes of IPv6 is what it is', '::ffff:8.8.8.8', {}, '8.8.8.8'],
  [
    'is nobody’s to make up',
    '8.8.8.8',
    { 'x-forwarded-for': '1.1.1.1', 'x-client-ip': '1.1.1.1' },
    '8.8.8.8',
  ],
  ['is what a trusted proxy forwards', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, '8.8.8.8'],
  [
    'is the last one that none vouches for',
    '127.0.0.1',
    { 'x-forwarded-for': '1.1.1.1, 8.8.8.8' },
    '8.8.8.8',
  ],
  ['is looked for through all of them', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8,10.1.1.1' }, '8.8.8.8'],
  ['is the outermost of trusted ones', '127.0.0.1', { 'x-forwarded-for': '10.1.1.1' }, '10.1.1.1'],
  ['ends where nonsense begins', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8, nobody, 10.1.1.1' }, '10.1.1.1'],
  ['is not empty for an empty header', '127.0.0.1', { 'x-forwarded-for': '' }, '127.0.0.1'],
  ['of a connection that is gone is none', undefined, { 'x-forwarded-for': '8.8.8.8' }, ''],
])('an address %s', (_, remote, headers, expected) => {
  expect(seen(remote, headers)).toBe(expected)
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
])('the place of %j is %j', (ip, expected) => {
  expect(networkOf(ip)).toBe(expected)
})
