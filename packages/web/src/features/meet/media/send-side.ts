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
  /** The right to it is gone; its line stays. */
  withdrawn: boolean
}

/** Milliseconds for an answer, and for the browser to say which streams its layers are. */
const patience = { answer: 10_000, layers: 2000, step: 20 }

/** The connection on which we send. The browser offers, the engine answers. */
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
   * Sends these tracks, all in one offer if they need one. Throws `PublishFailed` if the engine does not take them;
   * the connection is of no use then.
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

  /** Undefined: none came in time; the connection's own state says what follows from that. */
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

  /** The engine tells streams apart by their numbers, which browsers know only after the answer. */
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

  /** Takes a source back; its line stays for the next time. */
  async unpublish(source: MediaSource): Promise<void> {
    await this.#sequence.run(async () => {
      const sent = this.#sent.get(source)
      if (sent === undefined) return
      await sent.transceiver.sender.replaceTrack(null)
      this.#transport.send({ type: 'unpublish', epoch: this.#epoch, source })
    })
  }

  /** Sends another track in the place of one, such as that of another camera; nobody else notices. */
  async replace(source: MediaSource, track: MediaStreamTrack): Promise<void> {
    await this.#sequence.run(async () => this.#sent.get(source)?.transceiver.sender.replaceTrack(track))
  }

  /** The right to a source is gone. A line that is stopped could take the whole connection along, so it stays. */
  async drop(source: MediaSource): Promise<void> {
    const sent = this.#sent.get(source)
    if (sent === undefined) return
    sent.withdrawn = true
    await sent.transceiver.sender.replaceTrack(null)
  }

  /** There is something that may be sent. */
  get isUsed(): boolean {
    return [...this.#sent.values()].some(({ withdrawn }) => !withdrawn)
  }

  close(): void {
    this.#closed = true
    this.#answered?.(undefined)
    this.connection.close()
  }
}

/** The engine does not take what was offered. */
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
  // a name makes one layer a choice of layers, which it is not
  return layers.map(({ rid, ...layer }) => (layers.length === 1 ? layer : { rid, ...layer }))
}

/** The smallest layer first. */
function readLayers(stats: RTCStatsReport): { rid: string; ssrc: number; rtxSsrc?: number }[] {
  const found = new Map<string, { rid: string; ssrc: number; rtxSsrc?: number }>()
  stats.forEach((entry: { type: string; rid?: string; ssrc?: number; rtxSsrc?: number }) => {
    if (entry.type !== 'outbound-rtp' || entry.rid === undefined || entry.ssrc === undefined) return
    const { rid, ssrc, rtxSsrc } = entry
    found.set(rid, rtxSsrc === undefined ? { rid, ssrc } : { rid, ssrc, rtxSsrc })
  })
  return ['l', 'm', 'h'].flatMap((rid) => found.get(rid) ?? [])
}

/** Kinds that a source must have; a mistake is found before the engine refuses it. */
export function fits(source: MediaSource, track: MediaStreamTrack): boolean {
  return kindOf(source) === track.kind
}
