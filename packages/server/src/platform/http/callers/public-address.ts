import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkList } from './network-list.ts'

/** This server must not connect to the address, because it is private or not encrypted. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress'
}

/** Networks that are not on the public Internet (RFC 6890 and its successors). */
const isPrivate = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
])

/** Returns whether the host of a URL is private, without resolving it. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return (isIP(address) !== 0 && isPrivate(address)) || /(^|\.)localhost\.?$/.test(hostname)
}

/**
 * Resolves addresses and fails with ForbiddenAddress if one of them is private. To be used by the connection
 * itself.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return callback(error, [])
    if (found.some(({ address }) => isPrivate(address))) return callback(new ForbiddenAddress(hostname), [])
    if (options.all === true) return callback(null, found)
    const [first] = found
    return first === undefined
      ? callback(new ForbiddenAddress(hostname), [])
      : callback(null, first.address, first.family)
  })
}
