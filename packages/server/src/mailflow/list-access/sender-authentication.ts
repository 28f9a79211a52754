import { asciiDomain } from '@gatehouse/contract/canonical-address'
import { z } from 'zod'
import { isAligned } from '../sender-authentication/alignment.ts'

/** What authenticates a sender: the sign-in of an own user, a local service, or an aligned mechanism that passed. */
export const senderAuthentication = z.object({
  method: z.enum(['sasl', 'local', 'spf', 'dkim', 'dmarc']),
  /** The authenticated domain; with `sasl` and `local` that of the address the user or service may send from. */
  domain: z.string(),
})

export type SenderAuthentication = z.infer<typeof senderAuthentication>

/** Whether a domain is authenticated: relaxed alignment (RFC 7489 §3.1). */
export function isAuthenticated(domain: string, authentication: SenderAuthentication | null): boolean {
  if (authentication === null) return false
  const authenticated = asciiDomain(authentication.domain)
  return authenticated !== undefined && isAligned(authenticated, domain, 'relaxed')
}
