import { isIP } from 'node:net'
import { eventNetwork } from '../../platform/counted-event.ts'

/** IPv4-mapped addresses (RFC 4291 §2.5.5.2) and those of NAT64 (RFC 6052), in canonical form. */
const embeddedIPv4 = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** The network of a mail server: IPv4 /24, IPv6 /64, in canonical form. Undefined for anything that isn't an address. */
export function clientNetwork(address: string): string | undefined {
  const ip = canonicalIp(address)
  return ip === undefined ? undefined : eventNetwork(ip)
}

/**
 * An address of a mail server in canonical form, without its zone. IPv4 addresses within IPv6 (mapped, NAT64) are
 * returned as what they are. Undefined for anything that isn't an address.
 */
export function canonicalIp(address: string): string | undefined {
  const text = address.replace(/^IPv6:/i, '').split('%', 1)[0] ?? ''
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined
  // the parser of URLs writes IPv6 addresses in canonical form (RFC 5952)
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1)
  const [, high, low] = embeddedIPv4.exec(canonical) ?? []
  return high === undefined || low === undefined ? canonical : dotted(high, low)
}

function dotted(high: string, low: string): string {
  const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((n) => [n >> 8, n & 255])
  return bytes.join('.')
}
