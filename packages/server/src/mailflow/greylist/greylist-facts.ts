import { z } from 'zod'
import { senderAuthentication } from '../list-access/sender-authentication.ts'
import { clientNetwork } from './client-network.ts'
import { senderKey } from './sender-key.ts'

/** Seconds since 1970, up to the year 9999. */
const seconds = z.number().int().min(0).max(253_402_300_799)

/** The first and the last message of a sender to a recipient from a network, up to now. */
export const contact = z.object({
  firstSeen: seconds,
  lastSeen: seconds,
  attempts: z.number().int(),
  /** When a message was accepted first; null: none was yet. */
  passedAt: seconds.nullable(),
})

export type Contact = z.infer<typeof contact>

/** Something that was learned, and when it was seen last. */
export const learned = z.object({ since: seconds, lastSeen: seconds })

export type Learned = z.infer<typeof learned>

export const greylistFacts = z.object({
  time: seconds,
  clientAddress: z.string(),
  /** Address of the envelope; empty: the null sender. */
  sender: z.string(),
  /** SPF or DKIM that passed and is aligned, as far as known when the rule is asked; null: none. */
  authentication: senderAuthentication.nullable(),
  /** SPF says that the client may not send for the domain. What was learned about the sender doesn't count then. */
  spfFailed: z.boolean(),
  /** Null: not one of ours. */
  recipient: z
    .object({
      kind: z.string(),
      id: z.number().int(),
      greylisting: z.boolean(),
      /** Entries in the form of `matchingEntry`; those that don't match may be left out. */
      allowedSenders: z.array(z.string()).readonly(),
    })
    .nullable(),
  history: z.object({
    /** By `contactKey`. */
    contact: contact.nullable(),
    /** When someone let mail of this sender to this recipient through. */
    letThroughAt: seconds.nullable(),
    /** Since when the recipient has written to this address. */
    correspondentSince: seconds.nullable(),
    /** By domain of the sender and network. */
    knownServer: learned.nullable(),
    /** `passedAt` of other contacts of the domain and network, the latest as many as the settings need. */
    passedContacts: z.array(seconds).readonly(),
    /** By domain of the sender. */
    oneTimeCodes: learned.nullable(),
  }),
})

export type GreylistFacts = z.infer<typeof greylistFacts>

/** All in seconds except counts. */
export interface GreylistSettings {
  /** From the first contact until a message is accepted. */
  readonly delay: number
  /** From the last attempt until a contact that never passed expires. */
  readonly retryWindow: number
  /** The same for what has been learned: contacts that passed, servers, senders of one-time codes. */
  readonly memory: number
  /** Contacts of a domain and network that have to pass within the window for the server to be known. */
  readonly serverContacts: number
  readonly serverWindow: number
  /** Something that has been learned is written again at most this often. */
  readonly refresh: number
}

const day = 86_400

export const defaultGreylistSettings: GreylistSettings = {
  delay: 300,
  retryWindow: 7 * day,
  // monthly mail comes in time to be remembered
  memory: 35 * day,
  serverContacts: 4,
  serverWindow: 7 * day,
  refresh: 3600,
}

/** What a contact is found by. Network `unknown`: the client has no address. */
export interface ContactKey {
  readonly senderLocal: string
  readonly senderDomain: string
  readonly network: string
  readonly recipientKind: string
  readonly recipientId: number
}

/** The key of a contact; undefined without a recipient of ours. */
export function contactKey({ sender, clientAddress, recipient }: GreylistFacts): ContactKey | undefined {
  if (recipient === null) return undefined
  const { local, domain } = senderKey(sender)
  return {
    senderLocal: local,
    senderDomain: domain,
    network: clientNetwork(clientAddress) ?? 'unknown',
    recipientKind: recipient.kind,
    recipientId: recipient.id,
  }
}
