import { BlockList, isIP, isIPv4 } from 'node:net'

/** A list of addresses and networks holds something that is neither. */
export class NotANetwork extends Error {
  override name = 'NotANetwork'
}

/**
 * Reads addresses (`10.1.2.3`, `::1`) and networks (`10.0.0.0/8`, `fd00::/8`); the result tells whether an
 * address is among them. IPv4 addresses in the clothes of IPv6 count as what they are. Throws NotANetwork.
 */
export function networkList(entries: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits, ...more] = entry.split('/')
    const longest = isIPv4(address) ? 32 : 128
    const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (isIP(address) === 0 || more.length > 0 || !(length <= longest)) throw new NotANetwork(entry)
    list.addSubnet(address, length, family(address))
  }
  return (ip) => {
    const address = plainAddress(ip)
    return isIP(address) !== 0 && list.check(address, family(address))
  }
}

/** `::ffff:10.1.2.3` is `10.1.2.3`. */
export function plainAddress(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** What stands for one place on the net: the address, of IPv6 the network that one customer has (/64). */
export function networkOf(ip: string): string {
  const address = plainAddress(ip)
  return isIP(address) === 6 ? prefixOf(address, 4) : address
}

/** The network around a place that one operator or attacker may have as a whole: IPv4 /24, IPv6 /48. */
export function wideNetworkOf(ip: string): string {
  const address = plainAddress(ip)
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  return isIP(address) === 6 ? prefixOf(address, 3) : address
}

/** The first groups of sixteen bits of an IPv6 address. */
function prefixOf(address: string, length: number): string {
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const gap = Math.max(0, 8 - groups(head).length - groups(tail).length)
  const whole = [...groups(head), ...Array.from({ length: gap }, () => '0'), ...groups(tail)]
  const prefix = whole.slice(0, length).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/${length * 16}`
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
