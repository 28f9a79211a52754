import {
  cameraLayers,
  kindOf,
  type MediaSource,
  screenBitrate,
} from '@gatehouse/contract/meetings/meet-sources'
import { type FromEngine, type MediaTransport, Sequence, withoutCandidates } from './media-transport.ts'

interface Sent {
  readonly transceiver: RTCRtpTransceiver
  readonly layered: boolean
  /** The permission was revoked; its line stays. */
  withdrawn: boolean
}

/** Milliseconds to wait for an answer, and for the browser to report the streams of its layers. */
const patience = { answer: 10_000, layers: 2000, step: 20 }

/** The sending connection. The browser offers, the engine answers. */
export class SendSide {
  readonly connection: RTCPeerConnection
  readonly #transport: MediaTransport
  readonly #epoch: number
  readonly #sequence = new Sequence()
  readonly #sent = new Map<MediaSource, Sent>()
  #offers = 0
  #answered: ((message: FromEngine<'published' | 'publishFailed'> | undefined) => void) | undefined
  #closed = false

  constructor(transport: MediaTransport, epoch: number, configuration: RTCConfiguration) {
    this.#transport = transport
    this.#epoch = epoch
    this.connection = new RTCPeerConnection({ ...configuration, bundlePolicy: 'max-bundle' })
  }

  /**
   * Publishes these tracks, in a single offer if one is needed. Throws `PublishFailed` if the engine rejects
   * them; the connection is unusable then.
   */
  publish(tracks: ReadonlyMap<MediaSource, MediaStreamTrack>): Promise<void> {
    return this.#sequence.run(async () => {
      const added: MediaSource[] = []
      for (const [source, track] of tracks) {
        const known = this.#sent.get(source)
        if (known === undefined) {
          this.#add(source, track)
          added.push(source)
        } else {
          known.withdrawn = false
          await known.transceiver.sender.replaceTrack(track)
          this.#transport.send({ type: 'republish', epoch: this.#epoch, source })
        }
      }
      if (added.length > 0) await this.#negotiate(added)
    })
  }

  #add(source: MediaSource, track: MediaStreamTrack): void {
    const encodings = encodingsOf(source, track)
    const layered = encodings.length > 1
    const transceiver = this.connection.addTransceiver(track, {
      direction: 'sendonly',
      ...(encodings.length > 0 ? { sendEncodings: encodings } : {}),
    })
    if (source === 'screen' && 'contentHint' in track) track.contentHint = 'detail'
    this.#sent.set(source, { transceiver, layered, withdrawn: false })
  }

  async #negotiate(added: readonly MediaSource[]): Promise<void> {
    await this.connection.setLocalDescription(await this.connection.createOffer())
    const n = ++this.#offers
    const sdp = withoutCandidates(this.connection.localDescription?.sdp ?? '')
    const answer = this.#answer()
    this.#transport.send({ type: 'publish', epoch: this.#epoch, n, sdp, tracks: this.#describe() })
    const message = await answer
    if (this.#closed || message === undefined || message.n !== n) return
    if (message.type === 'publishFailed') throw new PublishFailed(message.reason)
    await this.connection.setRemoteDescription({ type: 'answer', sdp: message.sdp })
    await this.#tellLayers(n, added)
  }

  #describe(): { mid: string; source: MediaSource }[] {
    return [...this.#sent].flatMap(([source, { transceiver }]) =>
      transceiver.mid === null ? [] : [{ mid: transceiver.mid, source }],
    )
  }

  /** Undefined: no answer in time; the connection's own state decides what follows. */
  #answer(): Promise<FromEngine<'published' | 'publishFailed'> | undefined> {
    return new Promise((done) => {
      const timer = setTimeout(() => done(undefined), patience.answer)
      this.#answered = (message) => {
        clearTimeout(timer)
        done(message)
      }
    })
  }

  take(message: FromEngine<'published' | 'publishFailed'>): void {
    if (message.n === this.#offers) this.#answered?.(message)
  }

  /** The engine identifies streams by SSRC, which browsers only know after the answer. */
  async #tellLayers(n: number, added: readonly MediaSource[]): Promise<void> {
    const tracks: { mid: string; layers: { rid: string; ssrc: number; rtxSsrc?: number }[] }[] = []
    for (const source of added) {
      const sent = this.#sent.get(source)
      if (sent?.layered !== true || sent.transceiver.mid === null) continue
      const layers = await this.#layersOf(sent.transceiver.sender)
      if (layers.length > 0) tracks.push({ mid: sent.transceiver.mid, layers })
    }
    if (tracks.length > 0 && !this.#closed)
      this.#transport.send({ type: 'layers', epoch: this.#epoch, n, tracks })
  }

  async #layersOf(sender: RTCRtpSender): Promise<{ rid: string; ssrc: number; rtxSsrc?: number }[]> {
    const expected = sender.getParameters().encodings.filter(({ rid }) => rid !== undefined).length
    if (expected < 2) return []
    for (let waited = 0; waited < patience.layers && !this.#closed; waited += patience.step) {
      const found = readLayers(await sender.getStats())
      if (found.length >= expected) return found
      await new Promise((done) => setTimeout(done, patience.step))
    }
    return []
  }

  /** Unpublishes a source; its line stays for reuse. */
  async unpublish(source: MediaSource): Promise<void> {
    await this.#sequence.run(async () => {
      const sent = this.#sent.get(source)
      if (sent === undefined) return
      await sent.transceiver.sender.replaceTrack(null)
      this.#transport.send({ type: 'unpublish', epoch: this.#epoch, source })
    })
  }

  /** Replaces a track, such as by that of another camera, unnoticed by other participants. */
  async replace(source: MediaSource, track: MediaStreamTrack): Promise<void> {
    await this.#sequence.run(async () => this.#sent.get(source)?.transceiver.sender.replaceTrack(track))
  }

  /**
   * The permission for a source was revoked. Its line stays, because stopping it could break the whole
   * connection.
   */
  async drop(source: MediaSource): Promise<void> {
    const sent = this.#sent.get(source)
    if (sent === undefined) return
    sent.withdrawn = true
    await sent.transceiver.sender.replaceTrack(null)
  }

  /** Whether anything may be published. */
  get isUsed(): boolean {
    return [...this.#sent.values()].some(({ withdrawn }) => !withdrawn)
  }

  close(): void {
    this.#closed = true
    this.#answered?.(undefined)
    this.connection.close()
  }
}

/** The engine rejected an offer. */
export class PublishFailed extends Error {
  override name = 'PublishFailed'
  readonly reason: FromEngine<'publishFailed'>['reason']

  constructor(reason: FromEngine<'publishFailed'>['reason']) {
    super(`not published: ${reason}`)
    this.reason = reason
  }
}

function encodingsOf(source: MediaSource, track: MediaStreamTrack): RTCRtpEncodingParameters[] {
  if (source === 'screen') return [{ maxBitrate: screenBitrate }]
  if (source !== 'cam') return []
  const { width = 1280, height = 720 } = track.getSettings()
  const layers = cameraLayers(width, height)
  // a name would turn a single layer into simulcast
  return layers.map(({ rid, ...layer }) => (layers.length === 1 ? layer : { rid, ...layer }))
}

/** Smallest layer first. */
function readLayers(stats: RTCStatsReport): { rid: string; ssrc: number; rtxSsrc?: number }[] {
  const found = new Map<string, { rid: string; ssrc: number; rtxSsrc?: number }>()
  stats.forEach((entry: { type: string; rid?: string; ssrc?: number; rtxSsrc?: number }) => {
    if (entry.type !== 'outbound-rtp' || entry.rid === undefined || entry.ssrc === undefined) return
    const { rid, ssrc, rtxSsrc } = entry
    found.set(rid, rtxSsrc === undefined ? { rid, ssrc } : { rid, ssrc, rtxSsrc })
  })
  return ['l', 'm', 'h'].flatMap((rid) => found.get(rid) ?? [])
}

/** Checks the kind of a source's track, to find mistakes before the engine rejects it. */
export function fits(source: MediaSource, track: MediaStreamTrack): boolean {
  return kindOf(source) === track.kind
}
