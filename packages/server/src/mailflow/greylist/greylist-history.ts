import { clientNetwork } from './client-network.ts'
import type { Contact, GreylistFacts, GreylistSettings, Learned } from './greylist-facts.ts'
import { senderKey } from './sender-key.ts'

/**
 * The contact now; null: none, or expired. After the clock jumped backwards, times in the future count as now: the delay
 * restarts, so a sender never waits for the clock to catch up.
 */
export function currentContact(
  { time, history }: GreylistFacts,
  settings: Pick<GreylistSettings, 'retryWindow' | 'memory'>,
): Contact | null {
  if (history.contact === null || isExpired(history.contact, time, settings)) return null
  const { firstSeen, lastSeen, attempts, passedAt } = history.contact
  return {
    firstSeen: Math.min(firstSeen, time),
    lastSeen: Math.min(lastSeen, time),
    attempts,
    passedAt: passedAt === null ? null : Math.min(passedAt, time),
  }
}

/** Whether a contact has expired; a store may delete it then. */
export function isExpired(
  { lastSeen, passedAt }: Contact,
  time: number,
  { retryWindow, memory }: Pick<GreylistSettings, 'retryWindow' | 'memory'>,
): boolean {
  return time - lastSeen > (passedAt === null ? retryWindow : memory)
}

/** What has been learned; null: nothing, or expired. */
export function currentLearned(record: Learned | null, time: number, memory: number): Learned | null {
  if (record === null || time - record.lastSeen > memory) return null
  return { since: Math.min(record.since, time), lastSeen: Math.min(record.lastSeen, time) }
}

/** Whether a record has to be refreshed: once per interval, and always after the clock jumped backwards. */
export function needsRefresh(lastSeen: number, time: number, { refresh }: Pick<GreylistSettings, 'refresh'>) {
  return lastSeen > time || time - lastSeen >= refresh
}

/**
 * The known server, new ones included that enough contacts have passed for; null: not known. Bounces have no domain and
 * clients without an address no network, so neither makes a server known.
 */
export function knownServer(facts: GreylistFacts, settings: GreylistSettings): Learned | null {
  if (!canBeKnown(facts)) return null
  const { time, history } = facts
  const known = currentLearned(history.knownServer, time, settings.memory)
  if (known !== null) return known
  return recentlyPassed(facts, settings) >= settings.serverContacts ? { since: time, lastSeen: time } : null
}

export function canBeKnown({ sender, clientAddress }: GreylistFacts): boolean {
  return senderKey(sender).domain !== '' && clientNetwork(clientAddress) !== undefined
}

/** Other contacts of the domain and network that passed within the window. */
export function recentlyPassed({ time, history }: GreylistFacts, { serverWindow }: GreylistSettings): number {
  return history.passedContacts.filter((passedAt) => time - passedAt <= serverWindow).length
}
