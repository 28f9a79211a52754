import type { Contact, GreylistFacts } from './greylist-facts.ts'

/** 2027-01-15 08:00:00 UTC */
export const now = 1_800_000_000

export const recipient = { kind: 'user', id: 7, greylisting: true, allowedSenders: [] as readonly string[] }

/** The first message of an unknown sender. */
export const first: GreylistFacts = {
  time: now,
  clientAddress: '192.0.2.10',
  sender: 'jane@sender.test',
  authentication: null,
  spfFailed: false,
  recipient,
  history: {
    contact: null,
    letThroughAt: null,
    correspondentSince: null,
    knownServer: null,
    passedContacts: [],
    oneTimeCodes: null,
  },
}

export function withHistory(history: Partial<GreylistFacts['history']>): GreylistFacts {
  return { ...first, history: { ...first.history, ...history } }
}

/** A contact with one attempt. */
export function contactAt(firstSeen: number, passedAt: number | null = null): Contact {
  return { firstSeen, lastSeen: firstSeen, attempts: 1, passedAt }
}
