import { randomBytes } from 'node:crypto'
import type { MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaKind } from '@gatehouse/contract/meetings/meet-sources'
import type { PeerConnection } from 'node-datachannel'
import type { Way } from '../choice/layer-choice.ts'
import type { ConnectionState } from '../engine.ts'
import { candidateLines, withoutCandidates } from '../sdp/candidates.ts'
import { filterAnswer } from '../sdp/receiver-answer.ts'
import { ResendBudget } from '../streams/resend-budget.ts'
import { SendEstimate } from '../streams/send-estimate.ts'
import { describe, openConnection, registerRelay } from './connection.ts'
import type { Context } from './context.ts'
import type { Producer } from './producer.ts'
import { Slot } from './slot.ts'

/** Audio and video of one owner that are played in sync. */
interface Pair {
  readonly stream: string
  owner: string | undefined
  readonly slots: Partial<Record<MediaKind, Slot>>
}

/** Maximum media lines of a description; lines are reused and never removed. */
const maxLines = 128

/** Maximum bytes of padding sent at once. */
const maxPadding = 15_000
const paddingPacketLength = 275

/** A message sent by this connection. */
type Outgoing = Extract<MediaServerMessage, { type: 'offer' | 'slots' | 'candidates' }>

/** The connection on which a peer receives; we offer, the browser answers. */
export class ReceiveConnection {
  readonly estimate = new SendEstimate()
  /** Browsers name tracks after it, so it must be unique per connection. */
  readonly #name = randomBytes(6).toString('hex')
  readonly #context: Context
  readonly #epoch: number
  readonly #relay: boolean
  readonly #connection: PeerConnection
  readonly #budget: ResendBudget
  readonly #send: (message: Outgoing) => void
  readonly #pairs: Pair[] = []
  readonly #slots: Slot[] = []
  #offers = 0
  #offering = false
  #needsOffer = false
  #offered: readonly string[] = []
  #isKnown = false
  /** The lines last sent to the browser, as JSON. */
  #told = '[]'
  #relayName: string | undefined
  #closed = false
  /** Total bit/s to send including padding; 0 for no padding. */
  probe = 0
  #otherRate = 0
  #otherBytes = 0
  #settledAt: number
  #sentBytes = 0
  #paddedAt = 0
  /** Bytes; undefined while no padding is sent. */
  #paddingDue: number | undefined

  constructor(
    context: Context,
    options: {
      readonly peer: string
      readonly epoch: number
      readonly relay: boolean
      readonly send: (message: Outgoing) => void
      readonly onState: (state: ConnectionState) => void
    },
  ) {
    this.#context = context
    this.#epoch = options.epoch
    this.#relay = options.relay
    this.#send = options.send
    this.#settledAt = context.now()
    this.#budget = new ResendBudget(this.estimate, context.now())
    this.#connection = openConnection(context, `receive-${options.peer}`)
    this.#connection.onStateChange((state) => {
      const told = connectionState(state)
      if (!this.#closed && told !== undefined) options.onState(told)
    })
  }

  get slots(): readonly Slot[] {
    return this.#slots
  }

  slotOf(producer: Producer): Slot | undefined {
    return this.#slots.find((slot) => slot.producer === producer)
  }

  /** Binds exactly these sources to lines, as far as available, and notifies the browser. */
  async carry(producers: ReadonlySet<Producer>): Promise<void> {
    for (const slot of this.#slots) {
      if (slot.producer !== undefined && !producers.has(slot.producer)) slot.bind(undefined)
    }
    for (const pair of this.#pairs) if (!isUsed(pair)) pair.owner = undefined
    for (const producer of producers) if (this.slotOf(producer) === undefined) this.#bind(producer)
    await this.#tell()
  }

  #bind(producer: Producer): void {
    const { kind } = producer
    const owner = `${producer.peer} ${producer.source === 'mic' || producer.source === 'cam' ? 'person' : 'screen'}`
    const free = this.#pairs.filter((pair) => pair.owner === undefined)
    let pair =
      this.#pairs.find((one) => one.owner === owner) ??
      free.find(({ slots }) => slots[kind] !== undefined) ??
      free[0]
    if (pair?.slots[kind] === undefined && this.#slots.length >= maxLines) return
    if (pair === undefined) {
      pair = { stream: `${this.#name}-${this.#pairs.length}`, owner: undefined, slots: {} }
      this.#pairs.push(pair)
    }
    pair.owner = owner
    const slot = pair.slots[kind] ?? this.#addSlot(pair, kind)
    slot.bind(producer)
  }

  #addSlot(pair: Pair, kind: MediaKind): Slot {
    const slot = new Slot(this.#context, this.#connection, {
      kind,
      mid: `m${this.#slots.length}`,
      stream: pair.stream,
      estimate: this.estimate,
      budget: this.#budget,
    })
    pair.slots[kind] = slot
    this.#slots.push(slot)
    this.#needsOffer = true
    return slot
  }

  /** Sends the lines to the browser if they changed, with a new offer if there are new lines. */
  async #tell(): Promise<void> {
    if (!this.#needsOffer) {
      const slots = this.#describeSlots()
      const told = JSON.stringify(slots)
      if (told !== this.#told) this.#send({ type: 'slots', epoch: this.#epoch, slots })
      this.#told = told
      return
    }
    if (this.#offering) return
    this.#offering = true
    this.#needsOffer = false
    this.#offers++
    this.#offered = this.#slots.map(({ mid }) => mid)
    const sdp = await describe(this.#connection, 'offer')
    if (this.#closed) return
    if (this.#relay) this.#relayName ??= registerRelay(this.#context, sdp)
    // Without candidates: a browser that knows them connects while its answer is still being applied here, and
    // the handshake is then checked against a missing fingerprint.
    const slots = this.#describeSlots()
    this.#told = JSON.stringify(slots)
    const n = this.#offers
    this.#send({ type: 'offer', epoch: this.#epoch, n, sdp: withoutCandidates(sdp), slots })
  }

  #describeSlots() {
    return this.#slots.filter(({ mid }) => this.#offered.includes(mid)).map((slot) => slot.describe())
  }

  /** Applies an answer; answers to earlier offers are stale. Throws `MalformedDescription`. */
  async answer(n: number, sdp: string): Promise<void> {
    if (n !== this.#offers || !this.#offering) return
    this.#connection.setRemoteDescription(filterAnswer(sdp, this.#offered), 'answer')
    this.#offering = false
    if (!this.#isKnown) {
      this.#isKnown = true
      const { announced, relayAnnounced } = this.#context.transport
      const known = this.#relay && relayAnnounced.length > 0 ? relayAnnounced : announced
      this.#send({ type: 'candidates', epoch: this.#epoch, candidates: candidateLines(known) })
    }
    if (this.#needsOffer) await this.#tell()
  }

  /** State of the path to the browser. */
  measure(now: number): Way {
    const { queue, loss, acknowledged, feedbackAt } = this.estimate
    return {
      queue,
      loss,
      acknowledged,
      silentFor: feedbackAt === 0 ? undefined : now - feedbackAt,
      other: this.#otherRate,
    }
  }

  /** Updates losses and bitrate since the last call; called every half second. */
  settle(now: number): void {
    this.estimate.settleLoss()
    let bytes = 0
    for (const slot of this.#slots) if (slot.kind === 'audio') bytes += slot.bytes
    const seconds = (now - this.#settledAt) / 1000
    if (seconds > 0) this.#otherRate = ((bytes - this.#otherBytes) * 8) / seconds
    this.#otherBytes = bytes
    this.#settledAt = now
  }

  /** Sends padding up to `probe` bit/s; called every 25 ms. */
  pad(now: number): void {
    const elapsed = now - this.#paddedAt
    this.#paddedAt = now
    const begins = this.#paddingDue === undefined
    if (this.probe === 0) {
      this.#paddingDue = undefined
      return
    }
    let bytes = 0
    for (const slot of this.#slots) bytes += slot.bytes
    const sent = bytes - this.#sentBytes
    this.#sentBytes = bytes
    const due = begins ? 0 : (this.#paddingDue ?? 0) + (this.probe * elapsed) / 8000 - sent
    this.#paddingDue = Math.min(maxPadding, Math.max(-maxPadding, due))
    const count = Math.floor(this.#paddingDue / paddingPacketLength)
    if (count > 0) this.#slots.some((slot) => slot.kind === 'video' && slot.pad(count))
  }

  /** Closes every track individually, because the library's callbacks hold references to ours. */
  close(): void {
    this.#closed = true
    for (const slot of this.#slots) slot.close()
    if (this.#relayName !== undefined) this.#context.transport.relayPasswords.delete(this.#relayName)
    this.#connection.close()
  }
}

function isUsed({ slots }: Pair): boolean {
  return slots.audio?.producer !== undefined || slots.video?.producer !== undefined
}

/**
 * Undefined for states that are irrelevant to others. A connection that the library has closed has failed.
 */
export function connectionState(state: string): ConnectionState | undefined {
  if (state === 'connecting' || state === 'connected') return state
  return state === 'failed' || state === 'closed' ? 'failed' : undefined
}
