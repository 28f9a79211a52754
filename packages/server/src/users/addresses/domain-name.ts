import { asciiDomain } from '@gatehouse/contract/canonical-address'
import { parse } from 'tldts'
import { isHostName } from './email-address.ts'

const longest = 191

/**
 * Returns a domain name in canonical form: lower case, international names in Punycode. Undefined if invalid.
 */
export function normaliseDomain(text: string): string | undefined {
  const name = asciiDomain(text)
  return name !== undefined && name.length <= longest && isHostName(name) ? name : undefined
}

/** Names that customers can't add. */
export interface TakenNames {
  /** The installation's own names: their subdomains and parents aren't available either. */
  readonly own: readonly string[]
  /** These names and their subdomains aren't available. */
  readonly reserved: readonly string[]
}

/** Whether a customer may add a name: no `www.`, no public suffix, not ours, not reserved. */
export function isOwnableDomain(name: string, taken: TakenNames): boolean {
  if (name.startsWith('www.')) return false
  if (parse(name, { allowPrivateDomains: true }).publicSuffix === name) return false
  if (taken.reserved.some((other) => isWithin(name, other))) return false
  return !taken.own.some((own) => isWithin(name, own) || isWithin(own, name))
}

/** Whether a name is a domain or one of its subdomains. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}
