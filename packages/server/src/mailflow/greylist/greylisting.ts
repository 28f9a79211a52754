import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { accountDelivery } from '../../users/settings/effective-settings.ts'
import { readFlag } from '../../users/settings/stored-value.ts'
import { type Arrival, cleanArrival, envelopeAddress } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import type { SenderAuthentication } from '../list-access/sender-authentication.ts'
import { findRecipient, type Recipient } from '../recipients/recipient-store.ts'
import { withoutTag } from '../submission/submission.ts'
import { greylist } from './greylist.ts'
import {
  type ContactKey,
  contactKey,
  defaultGreylistSettings,
  type GreylistFacts,
  type GreylistSettings,
} from './greylist-facts.ts'
import { greylistMemory } from './greylist-memory.ts'
import { purgeGreylist } from './greylist-purge-store.ts'
import {
  type FoundHistory,
  readCodeSender,
  readHistory,
  writeCodeSender,
  writeMemory,
} from './greylist-store.ts'
import { learnOneTimeCodes } from './one-time-codes.ts'

/** A message for one recipient, and what is known about its sender when greylisting is asked. */
export interface GreylistArrival extends Arrival {
  readonly authentication: SenderAuthentication | null
  readonly spfFailed: boolean
}

/** A message that was accepted. */
export interface AcceptedMessage {
  readonly sender: string
  /** Decoded. */
  readonly subject: string
  readonly authentication: SenderAuthentication | null
}

export interface GreylistingParts {
  readonly db: Db
  readonly clock: Clock
  readonly decisions: DecisionLog
}

const emptyHistory: FoundHistory = {
  history: {
    contact: null,
    letThroughAt: null,
    correspondentSince: null,
    knownServer: null,
    passedContacts: [],
    oneTimeCodes: null,
  },
  allowedSenders: [],
}

/** Greylisting of real mail: reads the facts, applies the rule, and remembers and records the result. */
export class Greylisting implements Purgeable {
  readonly #parts: GreylistingParts
  readonly #settings: GreylistSettings

  constructor(parts: GreylistingParts, settings: GreylistSettings = defaultGreylistSettings) {
    this.#parts = parts
    this.#settings = settings
  }

  /** Decides on a message for one recipient. */
  async decide({ authentication, spfFailed, ...raw }: GreylistArrival): Promise<Decision> {
    const { db, decisions } = this.#parts
    const arrival = cleanArrival(raw)
    const recipient = await findRecipient(db, arrival.recipient)
    const { facts, key } = await this.#facts(arrival, { authentication, spfFailed }, recipient)
    const decision = greylist(facts, this.#settings)
    // before the answer: a delay that isn't remembered would start again
    if (key !== undefined) {
      await writeMemory(db, key, greylistMemory(facts, this.#settings, decision.reason), this.#settings)
    }
    decisions.record('greylist', decision, {
      direction: 'in',
      account: recipient === undefined ? null : recipient,
      sender: arrival.sender,
      recipient: arrival.recipient,
      clientAddress: arrival.clientAddress,
      queueId: arrival.queueId,
      messageId: null,
      ownDomains: recipient?.accountDomains ?? [],
    })
    return decision
  }

  /** Learns that the sender of an accepted message sends one-time codes, if the message shows it. */
  async learn({ sender, subject, authentication }: AcceptedMessage): Promise<void> {
    const { db } = this.#parts
    const message = { time: this.#now(), sender: envelopeAddress(sender), subject, authentication }
    // most messages contain no code and need no query
    const first = learnOneTimeCodes({ ...message, known: null }, this.#settings)
    if (first === null) return
    const known = await readCodeSender(db, first.domain)
    const learned = learnOneTimeCodes({ ...message, known }, this.#settings)
    if (learned !== null) await writeCodeSender(db, learned, this.#settings)
  }

  async purge(): Promise<void> {
    await purgeGreylist(this.#parts.db, this.#parts.clock.now(), this.#settings)
  }

  async #facts(
    { clientAddress, sender }: Arrival,
    known: Pick<GreylistFacts, 'authentication' | 'spfFailed'>,
    recipient: Recipient | undefined,
  ): Promise<{ facts: GreylistFacts; key: ContactKey | undefined }> {
    const found = recipient && {
      kind: recipient.kind,
      id: recipient.id,
      greylisting: hasGreylisting(recipient),
      allowedSenders: [],
    }
    const message = { time: this.#now(), clientAddress, sender, ...known, recipient: found ?? null }
    const key = contactKey({ ...message, history: emptyHistory.history })
    const { history, allowedSenders } = key === undefined ? emptyHistory : await this.#history(key, sender)
    const facts = {
      ...message,
      recipient: found === undefined ? null : { ...found, allowedSenders },
      history,
    }
    return { facts, key }
  }

  #history(key: ContactKey, sender: string): Promise<FoundHistory> {
    return readHistory(this.#parts.db, {
      key,
      correspondent: withoutTag(sender),
      entries: entriesNaming(sender),
      contacts: this.#settings.serverContacts,
    })
  }

  #now(): number {
    return Math.floor(this.#parts.clock.now().getTime() / 1000)
  }
}

/** A user's own setting, otherwise the policy of the account, which also applies to lists, resources and folders. */
function hasGreylisting({ kind, settings, ownerSettings }: Recipient): boolean {
  const own = kind === 'user' ? readFlag(settings.greylist_enabled) : null
  return own ?? accountDelivery(ownerSettings).greylist.value
}

/** Every entry that `matchingEntry` would accept for a sender: its address, its domain, and the suffixes. */
function entriesNaming(sender: string): string[] {
  const { full, domain } = senderAddress(sender) ?? {}
  if (full === undefined || domain === undefined) return []
  const labels = domain.split('.')
  return [full, domain, ...labels.map((_, at) => `.${labels.slice(at).join('.')}`)]
}
