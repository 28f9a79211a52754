import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { storableText } from '../decisions/storable-text.ts'
import { clientNetwork } from '../greylist/client-network.ts'
import { type Attempt, hashRecipients } from './attempts.ts'

/** A message to send. Everything but the queue id may come from a hostile client. */
export interface RateCall {
  /** Login of the user who signed in; null: not known, then the sender tells the user. */
  readonly user: string | null
  /** Envelope sender, as it was sent. */
  readonly sender: string
  readonly recipients: readonly string[]
  readonly queueId: string | null
  readonly messageId: string | null
  readonly clientAddress: string | null
}

/** Recipients that are compared with those that the user wrote to before. */
const comparedRecipients = 1000
/** Longer Message-IDs are kept as hashes: they are a key of an index. */
const longestMessageId = 250

/** What identifies an attempt to send a message. Ids that no mail server makes are ignored. */
export function attemptOf({ queueId, messageId, recipients }: RateCall): Attempt {
  return {
    queueId: queueId !== null && /^[\w.-]{1,100}$/.test(queueId) ? queueId : null,
    messageId: messageId === null || messageId === '' ? null : shortId(messageId),
    ...hashRecipients(recipients),
  }
}

function shortId(messageId: string): string {
  return messageId.length <= longestMessageId ? storableText(messageId) : sha256(messageId).toString('hex')
}

/** Hashes of the first recipients, as they are kept. */
export function recipientHashes(recipients: readonly string[]): Buffer[] {
  const distinct = new Set(recipients.slice(0, comparedRecipients).map(canonicalAddress))
  return [...distinct].map((address) => sha256(address).subarray(0, 8))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Where a message comes from; nulls: not known. */
export interface Place {
  readonly address: string | null
  readonly network: string | null
  readonly country: string | null
}

export function placeOf(
  clientAddress: string | null,
  locator: { country(ip: string): string | undefined },
): Place {
  const address = clientAddress?.replace(/^IPv6:/i, '') ?? ''
  if (isIP(address) === 0) return { address: null, network: null, country: null }
  return {
    address,
    network: clientNetwork(address) ?? null,
    country: locator.country(address) ?? null,
  }
}

/** A message with what is computed from it once. */
export interface RatedMessage {
  readonly call: RateCall
  readonly attempt: Attempt
  readonly hashes: readonly Buffer[]
  readonly place: Place
}
