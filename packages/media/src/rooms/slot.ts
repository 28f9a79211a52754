import { randomInt } from 'node:crypto'
import type { Slot as WireSlot } from '@gatehouse/contract/meetings/meet-media'
import type { MediaKind } from '@gatehouse/contract/meetings/meet-sources'
import nodeDataChannel, { type PeerConnection, type Track } from 'node-datachannel'
import {
  eachMissing,
  eachRtcp,
  feedbackFormat,
  feedbackSource,
  rewriteSenderReport,
  rtcpType,
} from '../packets/rtcp.ts'
import { absoluteSendTime, findExtension, isRtcp } from '../packets/rtp.ts'
import { receiverExtensions, sendTimeId, transportSequenceId } from '../sdp/header-extensions.ts'
import { payloadTypes } from '../sdp/receiver-answer.ts'
import type { ResendBudget } from '../streams/resend-budget.ts'
import { Rewriter } from '../streams/rewriter.ts'
import type { SendEstimate } from '../streams/send-estimate.ts'
import type { Context } from './context.ts'
import { IncomingStream } from './incoming-stream.ts'
import type { PassingPacket, Producer, Sink } from './producer.ts'

/** Milliseconds after which a keyframe is requested again if it didn't arrive. */
const keyFramePatience = 1000

export interface SlotOptions {
  readonly kind: MediaKind
  readonly mid: string
  /** Audio and video of one stream are played in sync. */
  readonly stream: string
  readonly estimate: SendEstimate
  readonly budget: ResendBudget
}

/** A media line to one receiver. It carries the bound source as one continuous stream across changes. */
export class Slot implements Sink {
  readonly kind: MediaKind
  readonly mid: string
  /** Layer to send; null for none. Audio has a single layer 0. */
  #wanted: number | null = 0
  #wantedAt = 0
  #producer: Producer | undefined
  #open = false
  #betweenPictures = true
  readonly #context: Context
  readonly #estimate: SendEstimate
  readonly #budget: ResendBudget
  readonly #track: Track
  readonly #rewriter: Rewriter
  readonly #payloadType: number
  readonly #sendPassing: (packet: Buffer) => void
  #transportAt = 0
  packets = 0
  bytes = 0
  resent = 0

  constructor(context: Context, connection: PeerConnection, options: SlotOptions) {
    this.#context = context
    this.kind = options.kind
    this.mid = options.mid
    this.#estimate = options.estimate
    this.#budget = options.budget
    this.#payloadType = payloadTypes[options.kind]
    this.#rewriter = new Rewriter(randomInt(1, 0x7fff_ffff), options.kind === 'video' ? 90_000 : 48_000)
    this.#track = connection.addTrack(describeLine(options, this.#rewriter.ssrc))
    this.#track.onOpen(() => {
      this.#open = true
      this.requestKeyFrame()
    })
    this.#track.onClosed(() => {
      this.#open = false
    })
    this.#track.onMessage((packet) => this.#receive(packet))
    // created once, because there are many packets
    this.#sendPassing = (packet) => this.#send(packet, this.#transportAt, this.#context.now())
  }

  get producer(): Producer | undefined {
    return this.#producer
  }

  get wanted(): number | null {
    return this.#wanted
  }

  /** Layer being sent; null for none. */
  get layer(): number | null {
    const { source } = this.#rewriter
    return source instanceof IncomingStream ? source.layer : null
  }

  get switches(): number {
    return this.#rewriter.switches
  }

  /** Binds a source; undefined for none. */
  bind(producer: Producer | undefined): void {
    if (producer === this.#producer) return
    this.#producer?.sinks.delete(this)
    this.#producer = producer
    this.interrupt()
    this.#wanted = 0
    if (producer === undefined) return
    producer.sinks.add(this)
    this.requestKeyFrame()
  }

  /** Switches to this layer at its next keyframe; null to stop. */
  want(layer: number | null): void {
    if (layer === this.#wanted) return
    this.#wanted = layer
    if (layer === null) this.interrupt()
    else this.requestKeyFrame()
  }

  interrupt(): void {
    this.#rewriter.end()
    this.#betweenPictures = true
  }

  /** Only once the receiver is connected, because an earlier keyframe would be lost. */
  requestKeyFrame(): void {
    this.#wantedAt = this.#context.now()
    if (this.#open && this.#wanted !== null) this.#producer?.requestKeyFrame(this.#wanted)
  }

  /** Requests a keyframe again if the layer hasn't arrived. */
  remind(now: number): void {
    const isWaiting = this.#wanted !== null && this.layer !== this.#wanted
    if (isWaiting && now - this.#wantedAt > keyFramePatience) this.requestKeyFrame()
  }

  forward({ packet, stream, video, transportAt, now }: PassingPacket): void {
    if (!this.#open || this.#wanted === null) return
    if (this.#rewriter.source !== stream) {
      if (video !== undefined && (stream.layer !== this.#wanted || !video.keyFrame)) return
      this.#rewriter.follow(stream, packet, video, now)
    }
    this.#transportAt = transportAt
    const isLast = ((packet[1] ?? 0) & 0x80) !== 0
    if (this.#rewriter.forward(packet, video, this.#payloadType, now, this.#sendPassing))
      this.#betweenPictures = isLast
  }

  #send(packet: Buffer, transportAt: number, now: number): void {
    if (transportAt > 0 && transportAt + 2 <= packet.length)
      packet.writeUInt16BE(this.#estimate.next(packet.length, now), transportAt)
    try {
      this.#track.sendMessageBinary(packet)
    } catch {
      // it is just closing
      return
    }
    this.packets++
    this.bytes += packet.length
    this.#context.traffic.packetsOut++
    this.#context.traffic.bytesOut += packet.length
  }

  forwardReport(packet: Buffer, start: number, stream: IncomingStream): void {
    if (!this.#open || this.#rewriter.source !== stream) return
    const report = rewriteSenderReport(packet, start, {
      ssrc: this.#rewriter.ssrc,
      timestampOffset: this.#rewriter.timestampOffset,
      packets: this.packets,
      octets: this.bytes,
    })
    try {
      this.#track.sendMessageBinary(report)
    } catch {
      // it is just closing
    }
  }

  /** Sends this many padding packets; returns false if that isn't possible now. */
  pad(count: number): boolean {
    if (!this.#open || !this.#betweenPictures) return false
    this.#rewriter.pad(count, this.#payloadType, (packet) =>
      this.#send(packet, findExtension(packet, transportSequenceId), this.#context.now()),
    )
    return true
  }

  #receive(packet: Buffer): void {
    if (!isRtcp(packet)) return
    try {
      eachRtcp(packet, (type, format, start, end) => this.#receiveFeedback(packet, type, format, start, end))
    } catch (error) {
      this.#context.traffic.refused++
      if (!(error instanceof RangeError)) this.#context.warn('processing feedback failed', error)
    }
  }

  /** Every line gets each compound packet with a part about it. */
  #receiveFeedback(packet: Buffer, type: number, format: number, start: number, end: number): void {
    const { ssrc } = this.#rewriter
    if (type === rtcpType.payloadFeedback && format === feedbackFormat.pli) {
      if (feedbackSource(packet, start, end) === ssrc) this.requestKeyFrame()
    } else if (type === rtcpType.payloadFeedback && format === feedbackFormat.fir) {
      for (let at = start + 12; at + 8 <= end; at += 8)
        if (packet.readUInt32BE(at) === ssrc) this.requestKeyFrame()
    } else if (type === rtcpType.transportFeedback && format === feedbackFormat.transportWide) {
      this.#estimate.feedback(packet, start, end, this.#context.now())
    } else if (type === rtcpType.transportFeedback && format === feedbackFormat.nack) {
      if (feedbackSource(packet, start, end) !== ssrc) return
      eachMissing(packet, start, end, (number) => this.#resend(number))
    }
  }

  #resend(number: number): void {
    const now = this.#context.now()
    if (this.kind === 'audio' || !this.#budget.isDue(this.#rewriter.ssrc * 0x10000 + number, now)) return
    this.#rewriter.repeat(
      number,
      this.#payloadType,
      (source, sequence) => (source instanceof IncomingStream ? source.ring?.get(sequence) : undefined),
      (packet) => {
        if (!this.#budget.take(packet.length, now)) return
        const sendTimeAt = findExtension(packet, sendTimeId)
        if (sendTimeAt > 0) packet.writeUIntBE(absoluteSendTime(now), sendTimeAt, 3)
        this.resent++
        this.#send(packet, findExtension(packet, transportSequenceId), now)
      },
    )
  }

  /** The line in the form sent to the browser. */
  describe(): WireSlot {
    const producer = this.#producer
    return {
      mid: this.mid,
      kind: this.kind,
      peer: producer?.peer ?? null,
      source: producer?.source ?? null,
      muted: producer?.isSilent ?? false,
    }
  }

  close(): void {
    this.bind(undefined)
    this.#open = false
    // otherwise the library's reference to our handlers would leak everything
    this.#track.close()
  }
}

function describeLine(options: SlotOptions, ssrc: number) {
  const { kind, stream } = options
  const type = payloadTypes[kind]
  const line = kind === 'audio' ? audioLine(options, type) : videoLine(options, type)
  line.addSSRC(ssrc, stream, stream, `${stream}-${kind}`)
  for (const { uri, id } of receiverExtensions(kind)) line.parseSdpLine(`a=extmap:${id} ${uri}`)
  line.parseSdpLine(`a=rtcp-fb:${type} transport-cc`)
  return line
}

function audioLine({ mid }: SlotOptions, type: number) {
  const line = new nodeDataChannel.Audio(mid, 'SendOnly')
  line.addAudioCodec(type, 'opus/48000/2', 'minptime=10;useinbandfec=1')
  return line
}

function videoLine({ mid }: SlotOptions, type: number) {
  const line = new nodeDataChannel.Video(mid, 'SendOnly')
  line.addVideoCodec(type, 'VP8')
  return line
}
