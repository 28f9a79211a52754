import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { isHostName } from '../accounts/email-address.ts'

const longest = 191

/** A domain name in its canonical form: lower case, international names in punycode. Undefined when it is none. */
export function normaliseDomain(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase()
  // domainToASCII would read a port, path or escape as part of a host
  if (/[\s/\\:@%?#[\]]/.test(trimmed)) return undefined
  const name = domainToASCII(trimmed)
  return name !== '' && name.length <= longest && isHostName(name) ? name : undefined
}

/** True for a name that a customer may bring: no `www.`, no public suffix, nothing below one of our own names. */
export function isOwnableDomain(name: string, systemDomains: readonly string[]): boolean {
  if (name.startsWith('www.')) return false
  if (parse(name, { allowPrivateDomains: true }).publicSuffix === name) return false
  return !systemDomains.some((own) => name === own || name.endsWith(`.${own}`) || own.endsWith(`.${name}`))
}
