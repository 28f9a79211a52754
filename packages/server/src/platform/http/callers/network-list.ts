import { BlockList, isIP, isIPv4 } from 'node:net'

/** A list of addresses and networks contains an invalid entry. */
export class NotANetwork extends Error {
  override name = 'NotANetwork'
}

/**
 * Parses addresses (`10.1.2.3`, `::1`) and networks (`10.0.0.0/8`, `fd00::/8`); returns a function that tests
 * whether an address is included. IPv4-mapped IPv6 addresses are treated as IPv4. Throws NotANetwork.
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

/** Converts `::ffff:10.1.2.3` to `10.1.2.3`. */
export function plainAddress(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Returns the network of a single customer: the address for IPv4, the /64 prefix for IPv6. */
export function networkOf(ip: string): string {
  const address = plainAddress(ip)
  return isIP(address) === 6 ? prefixOf(address, 4) : address
}

/** Returns the wider network that a single operator or attacker may control: IPv4 /24, IPv6 /48. */
export function wideNetworkOf(ip: string): string {
  const address = plainAddress(ip)
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  return isIP(address) === 6 ? prefixOf(address, 3) : address
}

/** Returns the first 16-bit groups of an IPv6 address. */
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
