import type { Reason } from '../reasons.ts'
import { clientNetwork } from './client-network.ts'
import type { GreylistFacts, GreylistSettings } from './greylist-facts.ts'
import { currentContact, currentLearned, knownServer } from './greylist-history.ts'
import { senderKey } from './sender-key.ts'

/**
 * The `Received-Greylist:` field of an accepted message, in one of three forms: the sender is known since a time, the
 * message was delayed from a time until now, or greylisting wasn't applied. Holds nothing of the sender's text but
 * characters of domains, and nothing about the recipient.
 */
export function receivedGreylist(facts: GreylistFacts, settings: GreylistSettings, reason: Reason): string {
  const since = knownSince(facts, settings, reason)
  if (since !== undefined) return `Received-Greylist: ${origin(facts)} known since ${utc(since)}`
  const contact = currentContact(facts, settings)
  const wasDelayed = reason === 'greylist.waited' || reason === 'greylist.let-through'
  if (wasDelayed && contact !== null) {
    const until = contact.passedAt ?? facts.time
    return `Received-Greylist: delayed from ${utc(contact.firstSeen)} to ${utc(until)}`
  }
  return 'Received-Greylist: not applied'
}

function knownSince(facts: GreylistFacts, settings: GreylistSettings, reason: Reason): number | undefined {
  const { time, history } = facts
  switch (reason) {
    case 'greylist.known-correspondent':
      return Math.min(history.correspondentSince ?? time, time)
    case 'greylist.one-time-codes':
      return currentLearned(history.oneTimeCodes, time, settings.memory)?.since
    case 'greylist.known-server':
      return knownServer(facts, settings)?.since
    default:
      return undefined
  }
}

function origin({ sender, clientAddress }: GreylistFacts): string {
  const { domain } = senderKey(sender)
  const name = /^[a-z0-9.-]{1,255}$/.test(domain) ? domain : 'unknown domain'
  return `${name} from ${clientNetwork(clientAddress) ?? 'unknown network'}`
}

/** `2026-01-02 03:04:05 UTC` */
function utc(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
