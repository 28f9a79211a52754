import { asciiDomain } from '@gatehouse/contract/canonical-address'
import { getDomain } from 'tldts'
import { z } from 'zod'

/** What proves the domain of a sender: the sign-in of an own user, a local service, or a mechanism that passed and is aligned. */
export const senderAuthentication = z.object({
  method: z.enum(['sasl', 'local', 'spf', 'dkim', 'dmarc']),
  /** The domain that is proved; with `sasl` and `local` that of the sender address that may be used. */
  domain: z.string(),
})

export type SenderAuthentication = z.infer<typeof senderAuthentication>

/** Whether an authentication proves a domain: both belong to one organisation (relaxed alignment, RFC 7489 §3.1). */
export function isProven(domain: string, authentication: SenderAuthentication | null): boolean {
  if (authentication === null) return false
  const proved = asciiDomain(authentication.domain)
  return proved !== undefined && organisationOf(proved) === organisationOf(domain)
}

function organisationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}
