import { type Clock, hour } from '../../platform/clock.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import { readList } from '../../users/settings/stored-value.ts'
import { type Arrival, cleanArrival } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import type { SenderAuthentication } from '../list-access/sender-authentication.ts'
import type { RecipientLookup } from '../recipients/recipient-lookup.ts'
import type { Recipient } from '../recipients/recipient-store.ts'
import { confirmedName } from './confirmed-name.ts'
import { receivedSpf } from './result-fields.ts'
import { decideSpf, type SpfSettings } from './sender-decision.ts'
import type { SpfResult } from './sender-results.ts'
import { SpfCheck } from './spf-check.ts'
import { matchingException } from './spf-exceptions.ts'

export interface SpfPolicyParts {
  readonly recipients: Pick<RecipientLookup, 'find'>
  readonly dns: DnsClient
  readonly clock: Clock
  readonly decisions: DecisionLog
  readonly config: { readonly domain: string }
}

/** Milliseconds and questions of one check; a mail server waits for the answer. */
const limits = { time: 5000, questions: 60 }
/** A domain that corrects its record doesn't want to wait longer than this. */
const cache = { seconds: hour, entries: 50_000 }

/** What SPF says about the sender of a message, in the form that other policies ask for. */
export interface SpfProof {
  readonly authentication: SenderAuthentication | null
  readonly spfFailed: boolean
}

/** SPF of real mail: checks the sender, applies exceptions of the recipient, and records the result. One per process. */
export class SpfPolicy {
  readonly #parts: SpfPolicyParts
  readonly #check: SpfCheck

  constructor(parts: SpfPolicyParts) {
    this.#parts = parts
    const { dns, clock, config } = parts
    this.#check = new SpfCheck({ dns, clock, limits, cache, hostName: config.domain })
  }

  /** Decides on a message before its text is sent. */
  async decide(raw: Arrival): Promise<Decision> {
    return (await this.judge(raw)).decision
  }

  /** Decides as `decide` does, and tells what SPF proves about the sender. */
  async judge(raw: Arrival): Promise<{ readonly decision: Decision; readonly proof: SpfProof }> {
    const { recipients, decisions } = this.#parts
    const arrival = cleanArrival(raw)
    const [spf, recipient] = await Promise.all([
      this.#check.check(arrival),
      recipients.find(arrival.recipient),
    ])
    const settings = exceptionsOf(recipient)
    const clientName = await this.#clientName(arrival, spf, settings)
    const decision = decideSpf({ clientName, spf }, settings)
    const { exception } = decision.facts
    const header = receivedSpf(spf, arrival, typeof exception === 'string' ? exception : undefined)
    decisions.record('sender', decision, {
      direction: 'in',
      account: recipient ?? null,
      sender: arrival.sender,
      recipient: arrival.recipient,
      clientAddress: arrival.clientAddress,
      queueId: arrival.queueId,
      messageId: null,
      ownDomains: recipient?.accountDomains ?? [],
    })
    return { decision: { ...decision, headers: [header] }, proof: proofOf(spf) }
  }

  /**
   * Returns what SPF proves about the sender, for policies that are asked before the message is sent. A pass of the name
   * in HELO proves no sender.
   */
  async prove(raw: Arrival): Promise<SpfProof> {
    return proofOf(await this.#check.check(cleanArrival(raw)))
  }

  /** The client's confirmed name. That of HELO is looked up only if an exception depends on it. */
  async #clientName(arrival: Arrival, spf: SpfResult, settings: SpfSettings): Promise<string | null> {
    const { clientName, helo, clientAddress } = arrival
    if (clientName !== null || spf.result !== 'fail') return clientName
    const exceptions = [...settings.recipientExceptions, ...settings.domainExceptions]
    if (matchingException(exceptions, helo) === undefined) return null
    return confirmedName(this.#parts.dns, clientAddress, helo)
  }
}

function proofOf({ result, domain, identity }: SpfResult): SpfProof {
  const isProved = result === 'pass' && identity === 'mailfrom' && domain !== null
  return { authentication: isProved ? { method: 'spf', domain } : null, spfFailed: result === 'fail' }
}

/** The hosts that a recipient and the recipient's domain accept although SPF fails. */
export function exceptionsOf(recipient: Recipient | undefined): SpfSettings {
  return {
    recipientExceptions: readList(recipient?.settings.spf_whitelist),
    domainExceptions: recipient?.spfExceptions ?? [],
  }
}
