import { z } from 'zod'
import { type Decision, decide } from '../decision.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import { isAuthenticated, senderAuthentication } from '../list-access/sender-authentication.ts'
import type { Reason } from '../reasons.ts'

/** What holds for the recipient (users/settings/effective-settings.ts). */
export interface ExternalSenderSettings {
  readonly isOn: boolean
  /** Domains whose mail isn't marked, canonical and without their subdomains. */
  readonly trustedDomains: readonly string[]
}

export const externalSenderFacts = z.object({
  /** Address of the envelope; empty: the null sender. */
  sender: z.string(),
  /** The address in `From:`, which people see; null: none, or several. */
  author: z.string().nullable(),
  authentication: senderAuthentication.nullable(),
  recipient: z.string(),
  /** Canonical domains of the recipient's account; others than that of the sender may be left out. */
  ownDomains: z.array(z.string()).readonly(),
})

export type ExternalSenderFacts = z.infer<typeof externalSenderFacts>

/**
 * Decides whether a message is marked as external. The address in `From:` counts, because people see it. Own and trusted
 * domains must be authenticated, so a forged colleague is external. Bounces aren't marked unless they claim such a domain
 * without authentication.
 */
export function externalSender(facts: ExternalSenderFacts, settings: ExternalSenderSettings): Decision {
  const domain = senderAddress(facts.author ?? facts.sender)?.domain
  const ownDomains = facts.ownDomains.filter((own) => own === domain)
  const isOwn = ownDomains.length > 0 || domain === senderAddress(facts.recipient)?.domain
  const isTrusted = domain !== undefined && settings.trustedDomains.includes(domain)
  const answer = (reason: Reason) => decide(reason, { ...facts, ownDomains, isTrusted })

  if (!settings.isOn) return answer('external.off')
  if (domain !== undefined && isAuthenticated(domain, facts.authentication)) {
    if (isOwn) return answer('external.own-account')
    if (isTrusted) return answer('external.trusted-domain')
  }
  const isBounce = /^\s*(<\s*>)?\s*$/.test(facts.sender)
  return answer(isBounce && !isOwn && !isTrusted ? 'external.no-sender' : 'external.marked')
}
