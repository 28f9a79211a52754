import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import { Batch } from '../../platform/db/batch.ts'
import { type Db, repeatOnConflict } from '../../platform/db/database.ts'
import { KeptAnswers } from '../../platform/db/kept-answers.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { type Arrival, cleanArrival, envelopeAddress } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import type { SenderAuthentication } from '../list-access/sender-authentication.ts'
import type { RecipientLookup } from '../recipients/recipient-lookup.ts'
import type { Recipient } from '../recipients/recipient-store.ts'
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
  type ContactHistory,
  type FoundHistory,
  type HistoryQuery,
  joinHistory,
  type MemoryWrite,
  readCodeSender,
  readContacts,
  readServers,
  type ServerHistory,
  type ServerQuery,
  writeCodeSender,
  writeMemories,
} from './greylist-store.ts'
import { learnOneTimeCodes } from './one-time-codes.ts'
import { hasGreylisting, historyQuery } from './recipient-query.ts'

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
  readonly pool: Pool
  readonly clock: Clock
  readonly decisions: DecisionLog
  readonly recipients: Pick<RecipientLookup, 'find'>
  /** Seconds for which what is known about servers is kept in memory; 0: not at all. */
  readonly keptFor?: number
}

/** Messages whose history is read, or written, by one statement. */
const mostTogether = 100
/** Servers kept in memory. */
const mostServers = 20_000

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
  readonly #contacts: Batch<HistoryQuery, ContactHistory>
  readonly #servers: Batch<ServerQuery, ServerHistory>
  readonly #knownServers: KeptAnswers<ServerHistory>
  readonly #memories: Batch<MemoryWrite, undefined>

  constructor(parts: GreylistingParts, settings: GreylistSettings = defaultGreylistSettings) {
    this.#parts = parts
    this.#settings = settings
    const { pool, clock, keptFor = 0 } = parts
    this.#contacts = new Batch({ run: (queries) => readContacts(pool, queries), most: mostTogether })
    this.#servers = new Batch({ run: (queries) => readServers(pool, queries), most: mostTogether })
    this.#knownServers = new KeptAnswers({ clock, keptFor, most: mostServers })
    this.#memories = new Batch({
      run: async (writes) => {
        await repeatOnConflict(() => writeMemories(pool, writes, settings))
        return writes.map(() => undefined)
      },
      keyOf: ({ key }) => Object.values(key).join(' '),
      most: mostTogether,
    })
  }

  /** Decides on a message for one recipient. */
  async decide({ authentication, spfFailed, ...raw }: GreylistArrival): Promise<Decision> {
    const { decisions, recipients } = this.#parts
    const arrival = cleanArrival(raw)
    const recipient = await recipients.find(arrival.recipient)
    const { facts, key } = await this.#facts(arrival, { authentication, spfFailed }, recipient)
    const decision = greylist(facts, this.#settings)
    // before the answer: a delay that isn't remembered would start again
    if (key !== undefined) {
      const memory = greylistMemory(facts, this.#settings, decision.reason)
      if (memory.contact !== null || memory.knownServer !== null) await this.#memories.add({ key, memory })
      // so that this process learns at once what it remembers
      if (memory.knownServer !== null || memory.contact?.passedAt === facts.time)
        this.#knownServers.drop(serverName(key))
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

  async #history(key: ContactKey, sender: string): Promise<FoundHistory> {
    const query = historyQuery(key, sender, this.#settings.serverContacts)
    const [contact, server] = await Promise.all([this.#contacts.add(query), this.#server(query)])
    return joinHistory(query, contact, server)
  }

  async #server({ key, contacts }: HistoryQuery): Promise<ServerHistory> {
    const { senderDomain, network } = key
    const name = serverName(key)
    const kept = this.#knownServers.get(name)
    if (kept !== undefined) return kept
    const found = await this.#servers.add({ senderDomain, network, contacts })
    this.#knownServers.keep(name, found)
    return found
  }

  #now(): number {
    return Math.floor(this.#parts.clock.now().getTime() / 1000)
  }
}

function serverName({ senderDomain, network }: ContactKey): string {
  return `${network} ${senderDomain}`
}
