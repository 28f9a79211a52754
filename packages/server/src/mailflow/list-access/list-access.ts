import { z } from 'zod'
import { type Decision, decide } from '../decision.ts'
import type { Reason } from '../reasons.ts'
import { matchingEntry, type SenderAddress, senderAddress } from './sender-address.ts'
import { isAuthenticated, senderAuthentication } from './sender-authentication.ts'

/** Who may send to a distribution list, as it is stored; see docs/decisions/0084-members-may-send.md. */
export interface ListAccessSettings {
  /** Addresses, domains and suffixes; empty: everyone, unless the members may send. */
  readonly senderPolicy: readonly string[]
  readonly membersMaySend: boolean
  readonly isSuspended: boolean
}

export const listAccessFacts = z.object({
  /** Address of the sender; empty: the null sender. */
  sender: z.string(),
  authentication: senderAuthentication.nullable(),
  /** The account of the user that the sender's address belongs to; null: none here. */
  senderAccountId: z.number().nullable(),
  listAccountId: z.number(),
  /** Canonical addresses in the list of members; those of other senders may be left out. */
  members: z.array(z.string()).readonly(),
})

export type ListAccessFacts = z.infer<typeof listAccessFacts>

/**
 * Decides whether a sender may send to a distribution list. Restricted lists require an authenticated sender. Others get
 * the same answer whether they may send or not, so that the answer reveals no members.
 */
export function listAccess(facts: ListAccessFacts, settings: ListAccessSettings): Decision {
  const sender = senderAddress(facts.sender)
  const members = facts.members.filter((member) => member === sender?.full)
  const entry = sender === undefined ? undefined : matchingEntry(settings.senderPolicy, sender)
  const answer = (reason: Reason) =>
    decide(reason, { ...facts, members, entry, membersMaySend: settings.membersMaySend })

  if (settings.isSuspended) return answer('list.suspended')
  if (settings.senderPolicy.length === 0 && !settings.membersMaySend) return answer('list.anyone')
  if (sender === undefined) return answer('list.not-allowed')
  if (!isAuthenticated(sender.domain, facts.authentication)) return answer('list.unverified-sender')
  if (entry !== undefined) return answer(reasonOf(entry, sender, facts))
  return answer(settings.membersMaySend && members.length > 0 ? 'list.member' : 'list.not-allowed')
}

/** "My organization" is stored as the domains of the account. */
function reasonOf(entry: string, { domain }: SenderAddress, facts: ListAccessFacts): Reason {
  const isColleague = facts.senderAccountId === facts.listAccountId
  return isColleague && entry === domain ? 'list.own-account' : 'list.chosen-sender'
}
