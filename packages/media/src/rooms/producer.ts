import { kindOf, type MediaKind, type MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import type { Track } from 'node-datachannel'
import {
  eachRtcp,
  maximumBitrate,
  negativeAcknowledgement,
  pictureLoss,
  receiverReport,
  reportTime,
  rtcpType,
} from '../packets/rtcp.ts'
import {
  absoluteSendTime,
  findExtension,
  headerLength,
  isRtcp,
  paddingLength,
  renumberExtensions,
  unwrapRetransmission,
} from '../packets/rtp.ts'
import type { ArrivalLog } from '../packets/transport-feedback.ts'
import { emptyDescriptor, readVp8, type Vp8Descriptor } from '../packets/vp8.ts'
import { extension, renumbering, sendTimeId, transportSequenceId } from '../sdp/header-extensions.ts'
import type { OfferedLine } from '../sdp/publisher-offer.ts'
import { type Context, engineSsrc } from './context.ts'
import { IncomingStream } from './incoming-stream.ts'

/** Milliseconds in which a browser stops sending what it may not send any more. */
const grace = 3000
/** Packets after that which are still an accident. */
const tolerated = 50

/** A packet on its way through; one object serves all packets of a source. */
export interface PassingPacket {
  packet: Buffer
  stream: IncomingStream
  /** Undefined for sound. */
  readonly video: Vp8Descriptor | undefined
  /** Where the number for the estimate of the way lies; 0: it has none. */
  transportAt: number
  now: number
}

/** Who gets the packets of a source. */
export interface Sink {
  forward(passing: PassingPacket): void
  forwardReport(packet: Buffer, start: number, stream: IncomingStream): void
  /** What was sent so far has no continuation. */
  interrupt(): void
}

/** Something that a peer sends: its microphone, its camera, its screen. */
export class Producer {
  readonly peer: string
  readonly source: MediaSource
  readonly kind: MediaKind
  readonly mid: string
  readonly sinks = new Set<Sink>()
  /** What the sender says. */
  muted = false
  /** What the portal says. */
  silenced = false
  /** The sender has taken it back for now. */
  parked = false
  #withdrawnAt: number | undefined
  #unwanted = 0
  /** The layers, the smallest first. */
  streams: readonly IncomingStream[] = []
  /** 0 (loud) to 127 (silent). */
  level = 127
  onLevel: ((level: number, now: number) => void) | undefined
  readonly #context: Context
  readonly #arrivals: ArrivalLog
  readonly #passing: Omit<PassingPacket, 'stream' | 'packet'>
  #bySsrc = new Map<number, IncomingStream>()
  #mediaOf = new Map<number, number>()
  #line: OfferedLine
  #renumbering: Uint8Array
  #transportId = 0
  #levelId = 0
  #track: Track | undefined
  #closed = false

  constructor(
    context: Context,
    options: {
      readonly peer: string
      readonly source: MediaSource
      readonly line: OfferedLine
      readonly arrivals: ArrivalLog
    },
  ) {
    this.#context = context
    this.peer = options.peer
    this.source = options.source
    this.kind = kindOf(options.source)
    this.mid = options.line.mid
    this.#arrivals = options.arrivals
    this.#line = options.line
    this.#renumbering = renumbering(options.line.extensions)
    const video = this.kind === 'video' ? emptyDescriptor() : undefined
    this.#passing = { video, transportAt: 0, now: 0 }
    this.describe(options.line)
  }

  /** Sound and pictures that nobody is to get now. */
  get isSilent(): boolean {
    return this.muted || this.silenced || this.parked
  }

  /** The right to send it is gone. */
  get withdrawn(): boolean {
    return this.#withdrawnAt !== undefined
  }

  /** What comes is dropped from now on; its line stays for the time when the right is there again. */
  withdraw(): void {
    this.#withdrawnAt ??= this.#context.now()
    this.#unwanted = 0
    this.sinks.clear()
  }

  restore(): void {
    this.#withdrawnAt = undefined
  }

  /** Whether its sender goes on although it was told that it must not. */
  get isDefiant(): boolean {
    return this.#unwanted > tolerated
  }

  /** Takes over what an offer says of its line; the streams stay if they are the same. */
  describe(line: OfferedLine): void {
    this.#line = line
    this.#renumbering = renumbering(line.extensions)
    this.#transportId = line.extensions.get(extension.transportSequence) ?? 0
    this.#levelId = line.extensions.get(extension.audioLevel) ?? 0
    this.#mediaOf = new Map(
      line.streams.flatMap(({ ssrc, rtxSsrc }) => (rtxSsrc === undefined ? [] : [[rtxSsrc, ssrc]])),
    )
    const same =
      line.streams.length === this.streams.length &&
      line.streams.every(({ ssrc }, index) => ssrc === this.streams[index]?.ssrc)
    if (!same && line.streams.length > 0) this.#openStreams(line.streams.map(({ ssrc }) => ssrc))
  }

  #openStreams(ssrcs: readonly number[]): void {
    for (const stream of this.streams) stream.close()
    for (const sink of this.sinks) sink.interrupt()
    this.streams = ssrcs.map(
      (ssrc, layer) =>
        new IncomingStream(ssrc, layer, {
          video: this.kind === 'video',
          askKeyFrame: () => this.#send(pictureLoss(engineSsrc, ssrc)),
        }),
    )
    this.#bySsrc = new Map(this.streams.map((stream) => [stream.ssrc, stream]))
  }

  /** The track through which its packets come. */
  attach(track: Track): void {
    if (this.#closed) {
      track.close()
      return
    }
    this.#track = track
    track.onMessage((packet) => {
      try {
        this.#receive(packet)
      } catch (error) {
        // packets of a sender of its own making, too short for what they announce
        this.#context.traffic.refused++
        if (!(error instanceof RangeError)) this.#context.warn('processing a packet failed', error)
      }
    })
  }

  #receive(packet: Buffer): void {
    if (this.#closed) return
    if (isRtcp(packet)) {
      this.#receiveReport(packet)
      return
    }
    const header = headerLength(packet)
    if (header < 0) {
      this.#context.traffic.refused++
      return
    }
    const now = this.#context.now()
    if (this.#withdrawnAt !== undefined) {
      if (now - this.#withdrawnAt > grace) this.#unwanted++
      return
    }
    const ssrc = packet.readUInt32BE(8)
    const numberAt = this.#transportId === 0 ? 0 : findExtension(packet, this.#transportId)
    if (numberAt > 0) this.#arrivals.add(packet.readUInt16BE(numberAt), now, ssrc)
    const type = (packet[1] ?? 0) & 127
    if (type === this.#line.retransmissionType) this.#receiveRetransmission(packet, header, ssrc, now)
    else if (type === this.#line.payloadType) this.#receiveMedia(packet, header, this.#streamOf(ssrc), now)
  }

  /** The stream of a packet. The first one names itself where the offer has not. */
  #streamOf(ssrc: number): IncomingStream | undefined {
    if (this.streams.length === 0) this.#openStreams([ssrc])
    return this.#bySsrc.get(ssrc)
  }

  /** Beside what was lost, browsers send what came already to see what the way carries: only counted. */
  #receiveRetransmission(packet: Buffer, header: number, ssrc: number, now: number): void {
    const stream = this.#bySsrc.get(this.#mediaOf.get(ssrc) ?? 0)
    if (stream === undefined || packet.length - header - paddingLength(packet) < 3) return
    if (!stream.reception.isMissing(packet.readUInt16BE(header))) return
    const inner = unwrapRetransmission(packet, header, {
      payloadType: this.#line.payloadType,
      ssrc: stream.ssrc,
    })
    this.#receiveMedia(inner, header, stream, now)
  }

  #receiveMedia(packet: Buffer, header: number, stream: IncomingStream | undefined, now: number): void {
    if (stream === undefined) {
      this.#context.traffic.refused++
      return
    }
    this.#context.traffic.packetsIn++
    stream.note(packet.length, now)
    const sequence = packet.readUInt16BE(2)
    stream.reception.note(sequence, packet.readUInt32BE(4), now)
    if (this.#levelId > 0) this.#readLevel(packet, now)
    if (this.isSilent) return
    const { video } = this.#passing
    if (video !== undefined) {
      readVp8(packet, header, video)
      if (video.keyFrame && video.width > 0) stream.size = { width: video.width, height: video.height }
    }
    if (this.sinks.size === 0) return
    // what is late for all is of use to nobody: voices go on, and pictures begin anew with the next key frame
    if (video !== undefined && this.#context.pace.isBehind(now)) {
      this.#context.traffic.shed++
      return
    }
    this.#prepare(packet, now)
    stream.ring?.add(sequence, packet)
    this.#pass(packet, stream, now)
  }

  #readLevel(packet: Buffer, now: number): void {
    const at = findExtension(packet, this.#levelId)
    if (at === 0) return
    this.level = (packet[at] ?? 0) & 127
    if (!this.isSilent) this.onLevel?.(this.level, now)
  }

  /** As receivers are to get it: the extensions' numbers are ours, the time of sending is now. */
  #prepare(packet: Buffer, now: number): void {
    renumberExtensions(packet, this.#renumbering)
    const sendTimeAt = findExtension(packet, sendTimeId)
    if (sendTimeAt > 0 && sendTimeAt + 3 <= packet.length)
      packet.writeUIntBE(absoluteSendTime(now), sendTimeAt, 3)
  }

  #pass(packet: Buffer, stream: IncomingStream, now: number): void {
    const passing: PassingPacket = Object.assign(this.#passing, { packet, stream })
    passing.transportAt = findExtension(packet, transportSequenceId)
    passing.now = now
    for (const sink of this.sinks) sink.forward(passing)
  }

  #receiveReport(packet: Buffer): void {
    eachRtcp(packet, (type, _, start, end) => {
      if (type !== rtcpType.senderReport) return
      const stream = this.#bySsrc.get(packet.readUInt32BE(start + 4))
      const time = reportTime(packet, start, end)
      if (stream === undefined || time === undefined) return
      stream.reception.noteReport(time, this.#context.now())
      if (this.isSilent) return
      for (const sink of this.sinks) sink.forwardReport(packet, start, stream)
    })
  }

  /** Asks for a key frame of one layer. */
  requestKeyFrame(layer: number): void {
    if (this.kind !== 'video' || this.#closed) return
    const stream = this.streams[layer] ?? this.streams[0]
    stream?.keyFrames.ask(this.#context.now())
  }

  /** Asks for what is missing; every 25 ms. */
  requestMissing(now: number): void {
    for (const { ssrc, reception } of this.streams) {
      const missing = reception.due(now)
      if (missing.length > 0) this.#send(negativeAcknowledgement(engineSsrc, ssrc, missing))
    }
  }

  /** Tells the sender what has come, and at most how many bit/s to send; every second. */
  report(now: number, maxBitrate: number): void {
    for (const stream of this.streams) {
      stream.measure()
      const block = stream.reception.report(now)
      if (block !== undefined) this.#send(receiverReport(engineSsrc, block))
    }
    if (this.kind === 'video' && this.streams.length > 0)
      this.#send(
        maximumBitrate(
          engineSsrc,
          maxBitrate,
          this.streams.map(({ ssrc }) => ssrc),
        ),
      )
  }

  /** Sends RTCP to the sender. False: there is no way to it at present. */
  sendFeedback(packet: Buffer): boolean {
    return this.#send(packet)
  }

  #send(packet: Buffer): boolean {
    if (this.#track === undefined || this.#closed || !this.#track.isOpen()) return false
    try {
      return this.#track.sendMessageBinary(packet)
    } catch {
      // it closes at this moment
      return false
    }
  }

  /** Nothing of it goes anywhere any more, whatever its sender does. */
  close(): void {
    this.#closed = true
    for (const stream of this.streams) stream.close()
    this.sinks.clear()
    // else the library's reference to our handler would keep all of it for ever
    this.#track?.close()
    this.#track = undefined
  }
}
