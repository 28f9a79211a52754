import { clientNetwork } from './client-network.ts'
import type { Contact, GreylistFacts, GreylistSettings, Learnt } from './greylist-facts.ts'
import { senderKey } from './sender-key.ts'

/**
 * A contact as it counts now; null: none, or forgotten. After the clock jumped backwards, times in the future count as now:
 * the delay begins again, so a sender never waits for the clock to catch up.
 */
export function currentContact(
  { time, history }: GreylistFacts,
  settings: Pick<GreylistSettings, 'retryWindow' | 'memory'>,
): Contact | null {
  if (history.contact === null || isForgotten(history.contact, time, settings)) return null
  const { firstSeen, lastSeen, attempts, passedAt } = history.contact
  return {
    firstSeen: Math.min(firstSeen, time),
    lastSeen: Math.min(lastSeen, time),
    attempts,
    passedAt: passedAt === null ? null : Math.min(passedAt, time),
  }
}

/** Whether a contact is too old to count; a store may delete it then. */
export function isForgotten(
  { lastSeen, passedAt }: Contact,
  time: number,
  { retryWindow, memory }: Pick<GreylistSettings, 'retryWindow' | 'memory'>,
): boolean {
  return time - lastSeen > (passedAt === null ? retryWindow : memory)
}

/** Something learnt as it counts now; null: nothing, or forgotten. */
export function currentLearnt(record: Learnt | null, time: number, memory: number): Learnt | null {
  if (record === null || time - record.lastSeen > memory) return null
  return { since: Math.min(record.since, time), lastSeen: Math.min(record.lastSeen, time) }
}

/** Whether something learnt has to be written again: not within a minute, and always after the clock jumped backwards. */
export function needsRefresh(lastSeen: number, time: number, { refresh }: Pick<GreylistSettings, 'refresh'>) {
  return lastSeen > time || time - lastSeen >= refresh
}

/**
 * Since when the server counts as known, also when it becomes so by contacts that passed before; null: it doesn't. Bounces
 * have no domain, and clients without an address no network: neither makes a server known.
 */
export function knownServer(facts: GreylistFacts, settings: GreylistSettings): Learnt | null {
  if (!canBeKnown(facts)) return null
  const { time, history } = facts
  const known = currentLearnt(history.knownServer, time, settings.memory)
  if (known !== null) return known
  return passedLately(facts, settings) >= settings.serverContacts ? { since: time, lastSeen: time } : null
}

export function canBeKnown({ sender, clientAddress }: GreylistFacts): boolean {
  return senderKey(sender).domain !== '' && clientNetwork(clientAddress) !== undefined
}

/** Other contacts of the domain and network that passed within the window. */
export function passedLately({ time, history }: GreylistFacts, { serverWindow }: GreylistSettings): number {
  return history.passedContacts.filter((passedAt) => time - passedAt <= serverWindow).length
}
