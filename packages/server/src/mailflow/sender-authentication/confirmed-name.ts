import { isIP } from 'node:net'
import { asciiDomain } from '@gatehouse/contract/canonical-address'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import { isHostName } from '../../users/addresses/email-address.ts'
import { canonicalIp } from '../greylist/client-network.ts'

/**
 * Returns a host name in canonical form if the DNS confirms that it is the client's: its address has the name, and the
 * name has the address. Null otherwise, also when a look-up fails.
 */
export async function confirmedName(dns: DnsClient, address: string, name: string): Promise<string | null> {
  const host = asciiDomain(name.replace(/\.$/, ''))
  const client = canonicalIp(address)
  if (host === undefined || !isHostName(host) || client === undefined) return null
  const addresses = isIP(client) === 4 ? dns.ipv4(host) : dns.ipv6(host)
  const [names, found] = await Promise.all([dns.hostNames(reverseName(client)), addresses])
  const hasName = names.kind === 'found' && names.values.includes(host)
  const hasAddress = found.kind === 'found' && found.values.some((one) => canonicalIp(one) === client)
  return hasName && hasAddress ? host : null
}

/** The name below `in-addr.arpa` or `ip6.arpa` of a canonical address. */
function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const [head = '', tail] = address.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const [start, end] = [groups(head), groups(tail)]
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - start.length - end.length }, () => '0')
  const digits = [...start, ...zeros, ...end].map((group) => group.padStart(4, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}
