import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import { parseEmailAddress } from '../accounts/email-address.ts'

/**
 * The address that somebody signs in with, as we store addresses: lower case, the domain in ASCII (RFC 5890). Undefined
 * for what can be nobody's address. Aliases are addresses too, and lead nowhere.
 */
export function readLoginName(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  if (at < 0 || text.length > 512) return undefined
  const domain = domainToASCII(text.slice(at + 1).normalize('NFC'))
  return parseEmailAddress(`${text.slice(0, at)}@${domain}`)?.full
}

/** `domain\user`, as Windows programs write it, is `user@domain`. */
export function fromDomainUser(text: string): string {
  const [domain = '', user, ...more] = text.split('\\')
  return user === undefined || more.length > 0 ? text : `${user}@${domain}`
}

/** What counts as one place: an IPv4 address, or the 64 bits of IPv6 that one household or machine has. */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return ip
  const [head = '', tail = ''] = ip.toLowerCase().split('::')
  const before = head.split(':').filter((group) => group !== '')
  const after = tail.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = ip.includes('::') ? [...before, ...zeros, ...after] : before
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
