import { canonicalAddress } from '@gatehouse/contract/canonical-address'

/** An e-mail address in canonical form: lower case, exactly one "@", the domain in ASCII. */
export interface EmailAddress {
  readonly local: string
  readonly domain: string
  readonly full: string
}

/** Maximum length in the database; within RFC 5321 limits. */
export const longestAddress = 191
const longestLocal = 64
const atoms = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Parses an e-mail address (RFC 5322 dot-atom without quoting or comments); undefined if invalid. */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const full = canonicalAddress(text)
  const [local = '', domain = '', ...more] = full.split('@')
  if (more.length > 0 || full.length > longestAddress || local.length > longestLocal) return undefined
  if (!atoms.test(local) || !isHostName(domain)) return undefined
  return { local, domain, full }
}

/** Whether a text is a lower-case host name with at least two labels, and no IP address. */
export function isHostName(text: string): boolean {
  const labels = text.split('.')
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => hostLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
