import { expect, test } from 'vitest'
import { NotANetwork, networkList } from './network-list.ts'

const isListed = networkList(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1', '192.168.1.0/24'])

test.each([
  ['10.255.0.1', true],
  ['11.0.0.1', false],
  ['127.0.0.1', true],
  ['127.0.0.2', false],
  ['::ffff:10.1.2.3', true],
  ['::ffff:9.1.2.3', false],
  ['fdab::1', true],
  ['fe80::1', false],
  ['::1', true],
  ['192.168.1.255', true],
  ['192.168.2.0', false],
  ['', false],
  ['nobody', false],
])('%s is listed: %s', (ip, expected) => {
  expect(isListed(ip)).toBe(expected)
})

test('an empty list contains nothing', () => {
  expect(networkList([])('127.0.0.1')).toBe(false)
})

test.each([
  'banana',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0/8',
  '::1/129',
  '1.2.3.4/8/8',
  '10.0.0.0/-1',
  '/8',
  '',
])('the entry "%s" is rejected', (entry) => {
  expect(() => networkList(['::1', entry])).toThrow(NotANetwork)
})
