import { actionOf, type Reason } from '../reasons.ts'
import type { Contact, GreylistFacts, GreylistSettings, Learnt } from './greylist-facts.ts'
import {
  canBeKnown,
  currentContact,
  currentLearnt,
  isForgotten,
  knownServer,
  needsRefresh,
  passedLately,
} from './greylist-history.ts'

/** What a store has to write after a decision; null: it stays as it is. */
export interface GreylistMemory {
  readonly contact: Contact | null
  readonly knownServer: Learnt | null
}

const nothing: GreylistMemory = { contact: null, knownServer: null }
const mostAttempts = 2_147_483_647

/** What is remembered of a message that greylisting decided on by that reason. */
export function greylistMemory(
  facts: GreylistFacts,
  settings: GreylistSettings,
  reason: Reason,
): GreylistMemory {
  const { recipient } = facts
  if (recipient === null || !recipient.greylisting) return nothing
  const contact = nextContact(facts, settings, reason)
  return { contact, knownServer: nextServer(facts, settings, reason, contact) }
}

function nextContact(facts: GreylistFacts, settings: GreylistSettings, reason: Reason): Contact | null {
  const { time, history } = facts
  const contact = currentContact(facts, settings)
  const isAccepted = actionOf(reason) === 'accept'
  // senders that needn't wait leave no record, but a message of theirs that waits is let in
  if (contact === null && isAccepted && reason !== 'greylist.let-through') return null
  const hasPassed = contact !== null && contact.passedAt !== null
  if (hasPassed && !needsRefresh(history.contact?.lastSeen ?? time, time, settings)) return null
  return {
    firstSeen: contact?.firstSeen ?? time,
    lastSeen: time,
    attempts: Math.min((contact?.attempts ?? 0) + 1, mostAttempts),
    passedAt: contact?.passedAt ?? (isAccepted ? time : null),
  }
}

function nextServer(
  facts: GreylistFacts,
  settings: GreylistSettings,
  reason: Reason,
  contact: Contact | null,
): Learnt | null {
  const { time, history } = facts
  if (reason === 'greylist.known-server') {
    const known = knownServer(facts, settings)
    const isStored = currentLearnt(history.knownServer, time, settings.memory) !== null
    const isFresh = isStored && !needsRefresh(history.knownServer?.lastSeen ?? time, time, settings)
    return known === null || isFresh ? null : { since: known.since, lastSeen: time }
  }
  const isWaiting = reason === 'greylist.waited' || reason === 'greylist.let-through'
  const passesNow = isWaiting && contact?.passedAt === time
  if (facts.isForged || !passesNow || !canBeKnown(facts)) return null
  return passedLately(facts, settings) + 1 >= settings.serverContacts ? { since: time, lastSeen: time } : null
}

/**
 * One record of two, for a store that finds at its write that another message was quicker. The later attempt counts unless
 * the stored contact was forgotten by then. The result doesn't depend on the order of the two.
 */
export function mergeContacts(left: Contact, right: Contact, settings: GreylistSettings): Contact {
  const [older, newer] = left.lastSeen <= right.lastSeen ? [left, right] : [right, left]
  if (isForgotten(older, newer.firstSeen, settings)) return newer
  const passed = [left.passedAt, right.passedAt].filter((time) => time !== null)
  return {
    firstSeen: Math.min(left.firstSeen, right.firstSeen),
    lastSeen: newer.lastSeen,
    attempts: Math.max(left.attempts, right.attempts),
    passedAt: passed.length === 0 ? null : Math.min(...passed),
  }
}
