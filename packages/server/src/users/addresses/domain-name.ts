import { asciiDomain } from '@gatehouse/contract/canonical-address'
import { parse } from 'tldts'
import { isHostName } from './email-address.ts'

const longest = 191

/** A domain name in its canonical form: lower case, international names in punycode. Undefined when it is none. */
export function normaliseDomain(text: string): string | undefined {
  const name = asciiDomain(text)
  return name !== undefined && name.length <= longest && isHostName(name) ? name : undefined
}

/** Names that no customer may bring. */
export interface TakenNames {
  /** Those of the installation itself: nothing below them is free, nor what they lie in. */
  readonly own: readonly string[]
  /** Nothing at and below these is free. */
  readonly reserved: readonly string[]
}

/** True for a name that a customer may bring: no `www.`, no public suffix, none of ours, none that is reserved. */
export function isOwnableDomain(name: string, taken: TakenNames): boolean {
  if (name.startsWith('www.')) return false
  if (parse(name, { allowPrivateDomains: true }).publicSuffix === name) return false
  if (taken.reserved.some((other) => isWithin(name, other))) return false
  return !taken.own.some((own) => isWithin(name, own) || isWithin(own, name))
}

/** True when a name is a domain or lies below it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}
