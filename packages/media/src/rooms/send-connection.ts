import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import { kindOf, type MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import type { PeerConnection, Track } from 'node-datachannel'
import type { ConnectionState } from '../engine.ts'
import { ArrivalLog } from '../packets/transport-feedback.ts'
import { withCandidates } from '../sdp/candidates.ts'
import {
  filterOffer,
  type OfferedStream,
  type PublisherOffer,
  turnLayersRound,
} from '../sdp/publisher-offer.ts'
import { MalformedDescription } from '../sdp/session-description.ts'
import { describe, openConnection, registerRelay } from './connection.ts'
import { type Context, engineSsrc } from './context.ts'
import { Producer } from './producer.ts'
import { connectionState } from './receive-connection.ts'

type Publish = Extract<MediaClientMessage, { type: 'publish' }>
type Layers = Extract<MediaClientMessage, { type: 'layers' }>

/** Maximum bit/s of a browser, for all sources together. */
const maxBitrate = 6_000_000

/** A source that the peer isn't allowed to send. */
export class NotAllowed extends Error {
  override name = 'NotAllowed'
}

/** The connection on which a peer sends; the browser offers, we answer. */
export class SendConnection {
  readonly #context: Context
  readonly #peer: string
  readonly #relay: boolean
  readonly #connection: PeerConnection
  readonly #arrivals = new ArrivalLog(engineSsrc)
  readonly #tracks = new Map<string, Track>()
  readonly #byMid = new Map<string, Producer>()
  /** Lines with a closed track; the library ignores packets on them. */
  readonly #ended = new Set<string>()
  readonly #layers = new Map<string, readonly OfferedStream[]>()
  #lastOffer: { readonly n: number; readonly sdp: string } | undefined
  #relayName: string | undefined
  #closed = false

  constructor(
    context: Context,
    options: {
      readonly peer: string
      readonly relay: boolean
      readonly onState: (state: ConnectionState) => void
    },
  ) {
    this.#context = context
    this.#peer = options.peer
    this.#relay = options.relay
    this.#connection = openConnection(context, `send-${options.peer}`)
    this.#connection.onStateChange((state) => {
      const told = connectionState(state)
      if (!this.#closed && told !== undefined) options.onState(told)
    })
    this.#connection.onTrack((track) => this.#takeTrack(track))
  }

  get producers(): readonly Producer[] {
    return [...this.#byMid.values()]
  }

  producerOf(source: MediaSource): Producer | undefined {
    return this.producers.find((producer) => producer.source === source)
  }

  #takeTrack(track: Track): void {
    const mid = track.mid()
    const producer = this.#byMid.get(mid)
    if (producer === undefined || this.#closed) {
      track.close()
      return
    }
    this.#tracks.set(mid, track)
    producer.attach(track)
  }

  /**
   * Applies an offer and returns the answer. Throws `MalformedDescription`, and `NotAllowed` for a new source
   * that the peer may not send.
   */
  async publish({ n, sdp, tracks }: Publish, may: ReadonlySet<MediaSource>): Promise<string> {
    // before the offer is parsed
    if (tracks.some(({ mid, source }) => !this.#byMid.has(mid) && !may.has(source))) throw new NotAllowed()
    const offer = filterOffer(sdp, this.#layers)
    this.#check(offer, tracks)
    this.#apply(offer.sdp)
    this.#lastOffer = { n, sdp }
    for (const line of offer.lines) {
      const source = tracks.find(({ mid }) => mid === line.mid)?.source
      const known = this.#byMid.get(line.mid)
      if (known !== undefined && (source === undefined || !line.active)) this.#end(known)
      else if (known !== undefined) known.describe(line)
      else if (source !== undefined && line.active) this.#add(source, line)
    }
    const answer = turnLayersRound(await describe(this.#connection, 'answer'))
    if (this.#closed) throw new MalformedDescription('the connection was closed')
    if (this.#relay) this.#relayName ??= registerRelay(this.#context, answer)
    const { announced, relayAnnounced } = this.#context.transport
    return withCandidates(answer, this.#relay && relayAnnounced.length > 0 ? relayAnnounced : announced)
  }

  #add(source: MediaSource, line: PublisherOffer['lines'][number]): void {
    const options = { peer: this.#peer, source, line, arrivals: this.#arrivals }
    this.#byMid.set(line.mid, new Producer(this.#context, options))
  }

  #check(offer: PublisherOffer, tracks: Publish['tracks']): void {
    if (new Set(tracks.map(({ source }) => source)).size !== tracks.length)
      throw new MalformedDescription('a source is on two lines')
    for (const line of offer.lines) {
      const track = tracks.find(({ mid }) => mid === line.mid)
      if (line.active && track === undefined) throw new MalformedDescription('an active line has no source')
      if (track === undefined) continue
      if (kindOf(track.source) !== line.kind) throw new MalformedDescription('source of the wrong kind')
      if (line.active && this.#ended.has(line.mid)) throw new MalformedDescription('the line has ended')
      const known = this.#byMid.get(line.mid)
      if (known !== undefined && known.source !== track.source)
        throw new MalformedDescription('a line changed its source')
    }
  }

  #apply(sdp: string): void {
    try {
      this.#connection.setRemoteDescription(sdp, 'offer')
    } catch (error) {
      this.#context.warn('the library rejected an offer', error)
      throw new MalformedDescription('refused')
    }
  }

  /**
   * Sets which streams are the layers of a line. The library identifies streams only by their description, so
   * the last offer is applied again with them; its answer is discarded.
   */
  async describeLayers({ n, tracks }: Layers): Promise<void> {
    if (this.#lastOffer?.n !== n) return
    for (const { mid, layers } of tracks) this.#layers.set(mid, layers)
    const offer = filterOffer(this.#lastOffer.sdp, this.#layers)
    this.#apply(offer.sdp)
    await describe(this.#connection, 'answer')
    for (const line of offer.lines) this.#byMid.get(line.mid)?.describe(line)
  }

  /** Ends a line stopped by the browser. */
  #end(producer: Producer): void {
    this.#byMid.delete(producer.mid)
    this.#tracks.delete(producer.mid)
    this.#layers.delete(producer.mid)
    this.#ended.add(producer.mid)
    producer.close()
  }

  /** Sends the browser transport-wide feedback; called every 100 ms. */
  acknowledge(): void {
    const producers = this.producers
    if (producers.length === 0) return
    const packet = this.#arrivals.feedback()
    if (packet !== undefined) producers.some((producer) => producer.sendFeedback(packet))
  }

  requestMissing(now: number): void {
    for (const producer of this.#byMid.values()) producer.requestMissing(now)
  }

  report(now: number): void {
    for (const producer of this.#byMid.values()) producer.report(now, maxBitrate)
  }

  close(): void {
    this.#closed = true
    for (const producer of this.#byMid.values()) producer.close()
    this.#byMid.clear()
    this.#tracks.clear()
    if (this.#relayName !== undefined) this.#context.transport.relayPasswords.delete(this.#relayName)
    this.#connection.close()
  }
}
