import { actionOf, type Reason } from '../reasons.ts'
import type { Contact, GreylistFacts, GreylistSettings, Learned } from './greylist-facts.ts'
import {
  canBeKnown,
  currentContact,
  currentLearned,
  isExpired,
  knownServer,
  needsRefresh,
  recentlyPassed,
} from './greylist-history.ts'

/** What a store has to write after a decision; null: it stays as it is. */
export interface GreylistMemory {
  readonly contact: Contact | null
  readonly knownServer: Learned | null
}

const nothing: GreylistMemory = { contact: null, knownServer: null }
const mostAttempts = 2_147_483_647

/** Returns what to remember of a message that was decided for this reason. */
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
  // senders that skip greylisting leave no record, but a pending one of theirs has passed
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
): Learned | null {
  const { time, history } = facts
  if (reason === 'greylist.known-server') {
    const known = knownServer(facts, settings)
    const isStored = currentLearned(history.knownServer, time, settings.memory) !== null
    const isFresh = isStored && !needsRefresh(history.knownServer?.lastSeen ?? time, time, settings)
    return known === null || isFresh ? null : { since: known.since, lastSeen: time }
  }
  const isWaiting = reason === 'greylist.waited' || reason === 'greylist.let-through'
  const passesNow = isWaiting && contact?.passedAt === time
  if (facts.spfFailed || !passesNow || !canBeKnown(facts)) return null
  return recentlyPassed(facts, settings) + 1 >= settings.serverContacts
    ? { since: time, lastSeen: time }
    : null
}

/**
 * Merges two records of one contact, for a store that finds a concurrent write. A record that had expired when the other
 * began is dropped. The order doesn't matter.
 */
export function mergeContacts(left: Contact, right: Contact, settings: GreylistSettings): Contact {
  const [older, newer] = left.lastSeen <= right.lastSeen ? [left, right] : [right, left]
  if (isExpired(older, newer.firstSeen, settings)) return newer
  const passed = [left.passedAt, right.passedAt].filter((time) => time !== null)
  return {
    firstSeen: Math.min(left.firstSeen, right.firstSeen),
    lastSeen: newer.lastSeen,
    attempts: Math.max(left.attempts, right.attempts),
    passedAt: passed.length === 0 ? null : Math.min(...passed),
  }
}
