import { canonicalAddress } from '@gatehouse/contract/canonical-address'

/** An address in its canonical form: lower case, exactly one "@", the domain in ASCII. */
export interface EmailAddress {
  readonly local: string
  readonly domain: string
  readonly full: string
}

/** Longest address that the database and RFC 5321 mailboxes of ours hold. */
export const longestAddress = 191
const longestLocal = 64
const atoms = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Reads a mail address (RFC 5322 dot-atom without quoting or comments); undefined when it is none. */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const full = canonicalAddress(text)
  const [local = '', domain = '', ...more] = full.split('@')
  if (more.length > 0 || full.length > longestAddress || local.length > longestLocal) return undefined
  if (!atoms.test(local) || !isHostName(domain)) return undefined
  return { local, domain, full }
}

/** A host name of at least two labels that is not an IP address; lower case. */
export function isHostName(text: string): boolean {
  const labels = text.split('.')
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => hostLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
