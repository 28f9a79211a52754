import { randomInt } from 'node:crypto'
import type { MediaClientMessage, MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import nodeDataChannel, { type PeerConnection, type Track } from 'node-datachannel'
import { eachMissing, eachRtcp, feedbackFormat, rtcpType } from '../packets/rtcp.ts'
import { isRtcp } from '../packets/rtp.ts'
import { extension } from '../sdp/header-extensions.ts'
import { videoPacket } from './packets.ts'

/** Signalling of an endpoint: through all rooms of a portal, or one engine. */
export interface SignalingPort {
  signal(peer: string, message: MediaClientMessage): Promise<void>
  on(event: 'toPeer', listener: (detail: { peer: string; message: MediaServerMessage }) => void): () => void
}

type Of<T extends MediaServerMessage['type']> = Extract<MediaServerMessage, { type: T }>

let started = false

function open(name: string, bindAddress: string): PeerConnection {
  if (!started) nodeDataChannel.initLogger('Fatal', () => {})
  started = true
  return new nodeDataChannel.PeerConnection(name, {
    iceServers: [],
    bindAddress,
    disableAutoNegotiation: true,
    forceMediaTransport: true,
  })
}

/** The engine's messages to one peer. */
class Inbox {
  readonly messages: MediaServerMessage[] = []
  readonly #waiting: {
    matches: (message: MediaServerMessage) => boolean
    done: (message: MediaServerMessage) => void
  }[] = []
  readonly stop: () => void

  constructor(port: SignalingPort, peer: string) {
    this.stop = port.on('toPeer', (detail) => {
      if (detail.peer !== peer) return
      this.messages.push(detail.message)
      for (const waiting of [...this.#waiting]) {
        if (!waiting.matches(detail.message)) continue
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        waiting.done(detail.message)
      }
    })
  }

  next<T extends MediaServerMessage['type']>(...types: T[]): Promise<Of<T>> {
    return new Promise((done) => {
      this.#waiting.push({
        matches: ({ type }) => types.some((one) => one === type),
        // the type was requested
        done: (message) => done(message as Of<T>),
      })
    })
  }
}

async function connected(connection: PeerConnection): Promise<void> {
  await new Promise<void>((done) => {
    connection.onStateChange((state) => state === 'connected' && done())
    if (connection.state() === 'connected') done()
  })
}

async function gathered(connection: PeerConnection): Promise<string> {
  await new Promise<void>((done) => {
    connection.onGatheringStateChange((state) => state === 'complete' && done())
    if (connection.gatheringState() === 'complete') done()
  })
  return connection.localDescription()?.sdp ?? ''
}

/** Sends synthetic media like a browser. */
export class SyntheticPublisher {
  readonly peer: string
  readonly inbox: Inbox
  /** One SSRC per layer, smallest first. */
  readonly layers: readonly number[]
  /** Received RTCP: number of keyframe requests, and requested packets. */
  keyFrameRequests = 0
  readonly asked: number[] = []
  readonly #port: SignalingPort
  readonly #connection: PeerConnection
  readonly #audioSsrc = randomInt(1, 2 ** 31)
  readonly #numbers = new Map<number, { sequence: number; timestamp: number; picture: number }>()
  #audioSequence = 0
  readonly #held: Buffer[] = []
  #transport = 0
  #video: Track | undefined
  #audio: Track | undefined

  constructor(port: SignalingPort, peer: string, layers = 1, bindAddress = '127.0.0.1') {
    this.#port = port
    this.peer = peer
    this.inbox = new Inbox(port, peer)
    this.#connection = open(`publisher-${peer}`, bindAddress)
    this.layers = Array.from({ length: layers }, () => randomInt(1, 2 ** 31))
  }

  /** Offers microphone and camera. Resolves once connected, or with the engine's rejection. */
  async publish(
    sources: { readonly audio?: MediaSource; readonly video?: MediaSource } = { audio: 'mic', video: 'cam' },
  ) {
    await this.#port.signal(this.peer, { type: 'start', epoch: 1, relay: false })
    if (sources.audio !== undefined) this.#audio = this.#addAudio()
    if (sources.video !== undefined) this.#video = this.#addVideo()
    this.#connection.setLocalDescription('offer')
    const sdp = await gathered(this.#connection)
    const tracks = [
      ...(sources.audio === undefined ? [] : [{ mid: '0', source: sources.audio }]),
      ...(sources.video === undefined ? [] : [{ mid: '1', source: sources.video }]),
    ]
    const answer = this.inbox.next('published', 'publishFailed')
    await this.#port.signal(this.peer, { type: 'publish', epoch: 1, n: 1, sdp, tracks })
    const message = await answer
    if (message.type === 'publishFailed') return message.reason
    this.#connection.setRemoteDescription(message.sdp, 'answer')
    if (this.layers.length > 1) await this.#tellLayers()
    await connected(this.#connection)
    return 'published'
  }

  async #tellLayers(): Promise<void> {
    const layers = this.layers.map((ssrc, index) => ({ rid: `r${index}`, ssrc }))
    await this.#port.signal(this.peer, { type: 'layers', epoch: 1, n: 1, tracks: [{ mid: '1', layers }] })
  }

  #addAudio(): Track {
    const line = new nodeDataChannel.Audio('0', 'SendOnly')
    line.addAudioCodec(111, 'opus/48000/2')
    line.addSSRC(this.#audioSsrc, 'c', 's', 'a')
    line.parseSdpLine(`a=extmap:1 ${extension.audioLevel}`)
    return this.#connection.addTrack(line)
  }

  #addVideo(): Track {
    const line = new nodeDataChannel.Video('1', 'SendOnly')
    line.addVideoCodec(96, 'VP8')
    for (const ssrc of this.layers) line.addSSRC(ssrc, 'c', 's', 'v')
    line.parseSdpLine(`a=extmap:5 ${extension.transportSequence}`)
    line.parseSdpLine('a=rtcp-fb:96 transport-cc')
    const track = this.#connection.addTrack(line)
    track.onMessage((packet) => {
      eachRtcp(packet, (type, format, start, end) => {
        if (type === rtcpType.payloadFeedback && format === feedbackFormat.pli) this.keyFrameRequests++
        if (type === rtcpType.transportFeedback && format === feedbackFormat.nack)
          eachMissing(packet, start, end, (number) => this.asked.push(number))
      })
    })
    return track
  }

  /** Sends a single-packet frame on a layer, or holds it back; returns the packet's number. */
  sendPicture(
    options: {
      readonly layer?: number
      readonly key?: boolean
      readonly hold?: boolean
      readonly size?: number
    } = {},
  ): number {
    const { layer = 0, key = false } = options
    const ssrc = this.layers[layer] ?? 0
    const numbers = this.#numbers.get(ssrc) ?? {
      sequence: randomInt(60_000),
      timestamp: randomInt(2 ** 31),
      picture: randomInt(30_000),
    }
    this.#numbers.set(ssrc, numbers)
    numbers.sequence = (numbers.sequence + 1) & 0xffff
    numbers.timestamp += 3000
    numbers.picture = (numbers.picture + 1) & 0x7fff
    const packet = this.#write(ssrc, numbers, { key, layer, size: options.size ?? 1000 })
    if (options.hold === true) this.#held.push(packet)
    else if (this.#video?.isOpen() === true) this.#video.sendMessageBinary(packet)
    return numbers.sequence
  }

  /** Sends arbitrary bytes on the video line; returns false if our library refuses to encrypt them. */
  sendRaw(packet: Buffer): boolean {
    try {
      return this.#video?.sendMessageBinary(packet) === true
    } catch {
      return false
    }
  }

  /** Sends the packets held back. */
  sendHeld(): void {
    for (const packet of this.#held.splice(0)) this.#video?.sendMessageBinary(packet)
  }

  #write(
    ssrc: number,
    { sequence, timestamp, picture }: { sequence: number; timestamp: number; picture: number },
    { key, layer, size }: { key: boolean; layer: number; size: number },
  ): Buffer {
    const packet = videoPacket({
      sequence,
      timestamp,
      ssrc,
      pictureId: picture,
      baseIndex: picture & 0xff,
      size,
      ...(key ? { keyFrame: { width: 320 * 2 ** layer, height: 180 * 2 ** layer } } : {}),
    })
    this.#transport = (this.#transport + 1) & 0xffff
    packet.writeUInt16BE(this.#transport, 17)
    packet.writeDoubleBE(performance.timeOrigin + performance.now(), packet.length - 8)
    return packet
  }

  /** Sends 20 ms of audio at this level, 0 (loud) to 127 (silent). */
  sendSound(level: number): void {
    const packet = Buffer.alloc(60)
    packet[0] = 0x90
    packet[1] = 111
    this.#audioSequence = (this.#audioSequence + 1) & 0xffff
    packet.writeUInt16BE(this.#audioSequence, 2)
    packet.writeUInt32BE((this.#audioSequence * 960) >>> 0, 4)
    packet.writeUInt32BE(this.#audioSsrc, 8)
    packet.writeUInt16BE(0xbede, 12)
    packet.writeUInt16BE(1, 14)
    packet[16] = 0x10
    packet[17] = level
    if (this.#audio?.isOpen() === true) this.#audio.sendMessageBinary(packet)
  }

  get state(): string {
    return this.#connection.state()
  }

  close(): void {
    this.inbox.stop()
    this.#video?.close()
    this.#audio?.close()
    this.#connection.close()
  }
}

export interface ReceivedPacket {
  readonly sequence: number
  readonly timestamp: number
  readonly packet: Buffer
}

/** Receives like a browser and stores the packets. */
export class SyntheticReceiver {
  readonly peer: string
  readonly inbox: Inbox
  readonly received = new Map<string, ReceivedPacket[]>()
  /** Called instead of storing packets, for high volumes. */
  onPacket: ((mid: string, packet: Buffer) => void) | undefined
  readonly #port: SignalingPort
  readonly #connection: PeerConnection
  readonly #tracks = new Map<string, Track>()
  #slots: Of<'slots'>['slots'] = []

  constructor(port: SignalingPort, peer: string, bindAddress = '127.0.0.1') {
    this.#port = port
    this.peer = peer
    this.inbox = new Inbox(port, peer)
    this.#connection = open(`receiver-${peer}`, bindAddress)
    this.#connection.onTrack((track) => {
      const mid = track.mid()
      this.#tracks.set(mid, track)
      this.received.set(mid, [])
      track.onMessage((packet) => this.#take(mid, packet))
    })
    const stopInbox = this.inbox.stop
    const stop = port.on('toPeer', ({ peer: to, message }) => {
      if (to === peer) void this.#handle(message)
    })
    this.#stop = () => {
      stopInbox()
      stop()
    }
  }

  readonly #stop: () => void

  async #handle(message: MediaServerMessage): Promise<void> {
    if (message.type === 'offer' || message.type === 'slots') this.#slots = message.slots
    if (message.type === 'offer') {
      this.#connection.setRemoteDescription(message.sdp, 'offer')
      this.#connection.setLocalDescription('answer')
      const sdp = await gathered(this.#connection)
      await this.#port.signal(this.peer, { type: 'answer', epoch: 1, n: message.n, sdp })
    }
    if (message.type === 'candidates')
      for (const candidate of message.candidates) this.#connection.addRemoteCandidate(candidate, 'm0')
  }

  #take(mid: string, packet: Buffer): void {
    if (isRtcp(packet)) return
    if (this.onPacket !== undefined) this.onPacket(mid, packet)
    else
      this.received.get(mid)?.push({
        sequence: packet.readUInt16BE(2),
        timestamp: packet.readUInt32BE(4),
        packet: Buffer.from(packet),
      })
  }

  /** Starts; resolves once connected, which requires a source to receive. */
  async join(): Promise<void> {
    await this.#port.signal(this.peer, { type: 'start', epoch: 1, relay: false })
    await connected(this.#connection)
  }

  /** MID of the line that carries a source. */
  midOf(peer: string, source: MediaSource): string | undefined {
    return this.#slots.find((slot) => slot.peer === peer && slot.source === source)?.mid
  }

  packetsOf(peer: string, source: MediaSource): readonly ReceivedPacket[] {
    return this.received.get(this.midOf(peer, source) ?? '') ?? []
  }

  /** Sends RTCP on a line. */
  sendFeedback(mid: string, packet: Buffer): void {
    this.#tracks.get(mid)?.sendMessageBinary(packet)
  }

  async show(tiles: Extract<MediaClientMessage, { type: 'view' }>['tiles']): Promise<void> {
    await this.#port.signal(this.peer, { type: 'view', epoch: 1, tiles })
  }

  close(): void {
    this.#stop()
    for (const track of this.#tracks.values()) track.close()
    this.#connection.close()
  }
}
