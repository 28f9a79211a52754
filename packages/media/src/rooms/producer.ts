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

/** Milliseconds in which a browser must stop sending a revoked source. */
const grace = 3000
/** Packets tolerated after that. */
const tolerated = 50

/** A packet being forwarded; one object is reused for all packets of a source. */
export interface PassingPacket {
  packet: Buffer
  stream: IncomingStream
  /** Undefined for audio. */
  readonly video: Vp8Descriptor | undefined
  /** Offset of the transport-wide sequence number; 0 if absent. */
  transportAt: number
  now: number
}

/** Receives the packets of a source. */
export interface Sink {
  forward(passing: PassingPacket): void
  forwardReport(packet: Buffer, start: number, stream: IncomingStream): void
  /** The stream ends here without a continuation. */
  interrupt(): void
}

/** A source that a peer sends: its microphone, camera or screen. */
export class Producer {
  readonly peer: string
  readonly source: MediaSource
  readonly kind: MediaKind
  readonly mid: string
  readonly sinks = new Set<Sink>()
  /** Muted by the sender. */
  muted = false
  /** Muted by the portal. */
  silenced = false
  /** Paused by the sender. */
  parked = false
  #withdrawnAt: number | undefined
  #unwanted = 0
  /** The layers, smallest first. */
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

  /** Whether its media currently isn't forwarded. */
  get isSilent(): boolean {
    return this.muted || this.silenced || this.parked
  }

  /** The permission to send it was revoked. */
  get withdrawn(): boolean {
    return this.#withdrawnAt !== undefined
  }

  /** Drops its packets from now on; keeps its line in case the permission is restored. */
  withdraw(): void {
    this.#withdrawnAt ??= this.#context.now()
    this.#unwanted = 0
    this.sinks.clear()
  }

  restore(): void {
    this.#withdrawnAt = undefined
  }

  /** Whether the sender continues although it was told to stop. */
  get isDefiant(): boolean {
    return this.#unwanted > tolerated
  }

  /** Applies an offered line; the streams stay if they are the same. */
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

  /** Attaches the track that its packets arrive on. */
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
        // forged packets, shorter than they claim to be
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

  /** Returns the stream of a packet. If the offer didn't name streams, the first packet's is used. */
  #streamOf(ssrc: number): IncomingStream | undefined {
    if (this.streams.length === 0) this.#openStreams([ssrc])
    return this.#bySsrc.get(ssrc)
  }

  /** Browsers also retransmit packets that have already arrived, to probe bandwidth: only count those. */
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
    // late media is of no use to anyone: audio continues, and video restarts with the next keyframe
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

  /** Prepares a packet for receivers: our extension numbers, and the current send time. */
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

  /** Requests a keyframe of one layer. */
  requestKeyFrame(layer: number): void {
    if (this.kind !== 'video' || this.#closed) return
    const stream = this.streams[layer] ?? this.streams[0]
    stream?.keyFrames.ask(this.#context.now())
  }

  /** Requests missing packets; called every 25 ms. */
  requestMissing(now: number): void {
    for (const { ssrc, reception } of this.streams) {
      const missing = reception.due(now)
      if (missing.length > 0) this.#send(negativeAcknowledgement(engineSsrc, ssrc, missing))
    }
  }

  /** Sends the sender a reception report and its maximum bitrate (bit/s); called every second. */
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

  /** Sends RTCP to the sender. Returns false if that isn't currently possible. */
  sendFeedback(packet: Buffer): boolean {
    return this.#send(packet)
  }

  #send(packet: Buffer): boolean {
    if (this.#track === undefined || this.#closed || !this.#track.isOpen()) return false
    try {
      return this.#track.sendMessageBinary(packet)
    } catch {
      // it is just closing
      return false
    }
  }

  /** Stops forwarding, regardless of what its sender does. */
  close(): void {
    this.#closed = true
    for (const stream of this.streams) stream.close()
    this.sinks.clear()
    // otherwise the library's reference to our handler would leak everything
    this.#track?.close()
    this.#track = undefined
  }
}
