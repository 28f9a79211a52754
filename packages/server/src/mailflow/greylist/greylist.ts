import { type Decision, decide } from '../decision.ts'
import { matchingEntry, senderAddress } from '../list-access/sender-address.ts'
import { actionOf, type Reason } from '../reasons.ts'
import type { GreylistFacts, GreylistSettings } from './greylist-facts.ts'
import { currentContact, currentLearned, knownServer } from './greylist-history.ts'
import { receivedGreylist } from './received-greylist.ts'

/**
 * Decides whether a first message has to be sent again after a delay, for one recipient. The facts of the
 * decision are complete: a replay with the same settings gives the same decision.
 */
export function greylist(facts: GreylistFacts, settings: GreylistSettings): Decision {
  const kept = keptFacts(facts)
  const reason = reasonFor(kept, settings)
  const contact = currentContact(kept, settings)
  const waited = contact === null ? undefined : kept.time - contact.firstSeen
  const headers = actionOf(reason) === 'accept' ? [receivedGreylist(kept, settings, reason)] : undefined
  return decide(reason, { ...kept, waited, delay: settings.delay }, headers)
}

function reasonFor(facts: GreylistFacts, settings: GreylistSettings): Reason {
  const { recipient, authentication } = facts
  if (recipient === null) return 'greylist.unknown-recipient'
  if (!recipient.greylisting) return 'greylist.off'
  if (recipient.allowedSenders.length > 0) return 'greylist.allowed-by-recipient'
  // a forwarded message fails SPF, but its DKIM signature still authenticates the sender
  if (authentication !== null) return 'greylist.authenticated-sender'
  const learned = facts.spfFailed ? undefined : learnedReason(facts, settings)
  return learned ?? waitingReason(facts, settings)
}

function learnedReason(facts: GreylistFacts, settings: GreylistSettings): Reason | undefined {
  const { time, history } = facts
  if (history.correspondentSince !== null) return 'greylist.known-correspondent'
  if (currentLearned(history.oneTimeCodes, time, settings.memory) !== null) return 'greylist.one-time-codes'
  return knownServer(facts, settings) === null ? undefined : 'greylist.known-server'
}

function waitingReason(facts: GreylistFacts, settings: GreylistSettings): Reason {
  const { time, history } = facts
  const { letThroughAt } = history
  if (letThroughAt !== null && time - letThroughAt <= settings.retryWindow) return 'greylist.let-through'
  const contact = currentContact(facts, settings)
  if (contact === null) return 'greylist.first-contact'
  const hasWaited = contact.passedAt !== null || time - contact.firstSeen >= settings.delay
  return hasWaited ? 'greylist.waited' : 'greylist.too-early'
}

/** The facts with only those allowed senders that name the sender: no other entry can lead to another decision. */
function keptFacts(facts: GreylistFacts): GreylistFacts {
  const { recipient } = facts
  if (recipient === null || recipient.allowedSenders.length === 0) return facts
  const sender = senderAddress(facts.sender)
  const entry = sender === undefined ? undefined : matchingEntry(recipient.allowedSenders, sender)
  return { ...facts, recipient: { ...recipient, allowedSenders: entry === undefined ? [] : [entry] } }
}
