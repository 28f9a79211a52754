import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type ICAL from 'ical.js'
import { isAuthenticated } from '../list-access/sender-authentication.ts'
import { addressOf, sentByOf } from './components.ts'
import type { InvitationMessage } from './invitation-message.ts'

/** Who sent a message, as far as it's proved. */
export interface SenderFacts {
  /** The address in `From:`, which people see; null: none, or several. */
  readonly from: string | null
  /** The domain for which SPF, DKIM or the sign-in passed, aligned with `From:`; null: none. */
  readonly alignedDomain: string | null
}

export interface Trust {
  /** The same person in the calendar object that is to be changed; undefined: there is none yet. */
  readonly stored: ICAL.Property | undefined
  /** Canonical domains of the recipient's account. */
  readonly ownDomains: readonly string[]
}

/**
 * Whether a sender is an organiser or attendee, or acts for them. Everybody can write anyone into SENT-BY, so that counts
 * only if the calendar has it already, among colleagues, or while there's nothing to change yet. The domain of both
 * has to be proved.
 */
export function mayActFor(
  person: ICAL.Property,
  { from, alignedDomain }: SenderFacts,
  trust: Trust,
): boolean {
  const address = addressOf(person)
  if (address === undefined || from === null || alignedDomain === null) return false
  const sender = canonicalAddress(from)
  const proves = (domain: string) => isAuthenticated(domain, { method: 'dmarc', domain: alignedDomain })
  if (!proves(domainOf(sender))) return false
  if (sender === address) return true
  if (sentByOf(person) !== sender || !proves(domainOf(address))) return false
  if (trust.stored === undefined || sentByOf(trust.stored) === sender) return true
  return trust.ownDomains.includes(domainOf(address)) && domainOf(address) === domainOf(sender)
}

/** Why a message isn't the organiser's; undefined if it is. `known` is what the calendar has. */
export function organizerProblem(
  { organizer, organizerAddress }: InvitationMessage,
  sender: SenderFacts,
  known: ICAL.Component | undefined,
  ownDomains: readonly string[],
): 'other-organizer' | 'not-the-organizer' | undefined {
  const stored = known?.getFirstProperty('organizer') ?? undefined
  if (known !== undefined && addressOf(stored ?? null) !== organizerAddress) return 'other-organizer'
  return mayActFor(organizer, sender, { stored, ownDomains }) ? undefined : 'not-the-organizer'
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
