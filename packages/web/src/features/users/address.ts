/** An address of what was typed in front of the "@" and a domain; what has an "@" already is whole. */
export function fullAddress(local: string, domain: string): string {
  const typed = local.trim()
  if (typed === '' || typed.includes('@')) return typed
  return `${typed}@${domain.trim()}`
}

/** The domains of an account, as far as its addresses tell: the own one first, then by name. */
export function domainsOf(own: string, addresses: readonly string[]): string[] {
  const first = domainOf(own)
  const others = new Set(addresses.map(domainOf).filter((domain) => domain !== '' && domain !== first))
  return [...(first ? [first] : []), ...[...others].sort()]
}

function domainOf(address: string): string {
  return address.split('@')[1] ?? ''
}
