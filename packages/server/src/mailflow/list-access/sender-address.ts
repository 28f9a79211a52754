import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { isHostName } from '../../users/addresses/email-address.ts'

/** The sender of a message in its canonical form. */
export interface SenderAddress {
  readonly full: string
  readonly domain: string
}

/**
 * Reads the address of a sender, with or without angle brackets; undefined for the null sender and for texts without a
 * host name after the last `@`. Local parts of other servers may be anything, quoted ones too.
 */
export function senderAddress(text: string): SenderAddress | undefined {
  const full = canonicalAddress(text.replace(/^\s*<(.*)>\s*$/s, '$1')).replace(/\.$/, '')
  const at = full.lastIndexOf('@')
  const domain = full.slice(at + 1)
  return at < 1 || !isHostName(domain) ? undefined : { full, domain }
}

/**
 * The first entry that names a sender, in the form of `senderEntry` (directory/groups/sender-policy.ts): an exact
 * address, a domain, or a suffix such as `.example.com`, which means the domain and everything below it.
 */
export function matchingEntry(
  entries: readonly string[],
  { full, domain }: SenderAddress,
): string | undefined {
  return entries.find((entry) => {
    if (entry.startsWith('.')) return `.${domain}`.endsWith(entry)
    return entry === domain || entry === full
  })
}
