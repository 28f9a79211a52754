import { randomInt } from 'node:crypto'
import { headerLength } from '../packets/rtp.ts'
import { ahead } from '../packets/sequence.ts'
import {
  emptyDescriptor,
  readVp8,
  type Vp8Descriptor,
  writeBaseIndex,
  writePictureId,
} from '../packets/vp8.ts'
import { transportSequenceId } from '../sdp/header-extensions.ts'

/** A section of the outgoing stream from one source stream with constant offsets. */
interface Stretch {
  /** Undefined for our own padding. */
  readonly source: object | undefined
  /** First number of the section, outgoing and incoming. */
  readonly firstOut: number
  readonly firstIn: number
  readonly sequence: number
  readonly timestamp: number
  readonly picture: number
  readonly baseIndex: number
}

/** Maximum sections kept for retransmissions. */
const maxStretches = 32

/**
 * Merges the streams that a receiver's media line carries in turn (layers of a camera, or another peer's
 * camera) into one continuous stream. Sequence numbers and timestamps continue without a gap, so that the
 * receiver doesn't notice the switch.
 */
export class Rewriter {
  readonly ssrc: number
  readonly #clockRate: number
  #stretches: Stretch[] = []
  #source: object | undefined
  #lastSequence = randomInt(0, 0x7fff)
  #lastTimestamp = randomInt(0, 0x7fff_ffff)
  #lastAt = Number.NaN
  #lastPicture = 0
  #lastBaseIndex = 0
  /** Number of switches between streams. */
  switches = 0

  constructor(ssrc: number, clockRate: number) {
    this.ssrc = ssrc
    this.#clockRate = clockRate
  }

  /** The current stream. */
  get source(): object | undefined {
    return this.#source
  }

  /** Offset added to the timestamps of the current stream. */
  get timestampOffset(): number {
    return this.#stretches.at(-1)?.timestamp ?? 0
  }

  /** Switches to another stream, starting with this packet; for video it must be a keyframe. */
  follow(source: object, packet: Buffer, video: Vp8Descriptor | undefined, now: number): void {
    const sequence = packet.readUInt16BE(2)
    const pause = Number.isNaN(this.#lastAt) ? 0 : ((now - this.#lastAt) * this.#clockRate) / 1000
    const timestamp = this.#lastTimestamp + Math.max(1, Math.round(pause))
    if (this.#stretches.length > 0) this.switches++
    this.#source = source
    this.#begin({
      source,
      firstOut: (this.#lastSequence + 1) & 0xffff,
      firstIn: sequence,
      sequence: (this.#lastSequence + 1 - sequence) & 0xffff,
      timestamp: (timestamp - packet.readUInt32BE(4)) >>> 0,
      picture: (this.#lastPicture + 1 - (video?.pictureId ?? 0)) & 0x7fff,
      baseIndex: (this.#lastBaseIndex + 1 - (video?.baseIndex ?? 0)) & 0xff,
    })
  }

  #begin(stretch: Stretch): void {
    this.#stretches.push(stretch)
    if (this.#stretches.length > maxStretches) this.#stretches.shift()
  }

  /** Ends the current stream; the next one starts fresh. */
  end(): void {
    this.#source = undefined
  }

  /**
   * Sends a packet of the current stream as part of the outgoing stream. The packet is modified while `send`
   * runs and restored afterwards. Returns false if it is older than the outgoing section.
   */
  forward(
    packet: Buffer,
    video: Vp8Descriptor | undefined,
    payloadType: number,
    now: number,
    send: (packet: Buffer) => void,
  ): boolean {
    const sequence = packet.readUInt16BE(2)
    const stretch = this.#stretchOf(sequence)
    if (stretch === undefined) return false
    const outgoing = (sequence + stretch.sequence) & 0xffff
    if (ahead(outgoing, this.#lastSequence) > 0) {
      this.#lastSequence = outgoing
      this.#lastTimestamp = (packet.readUInt32BE(4) + stretch.timestamp) >>> 0
      this.#lastAt = now
      if (video !== undefined && video.pictureIdAt > 0)
        this.#lastPicture = (video.pictureId + stretch.picture) & 0x7fff
      if (video !== undefined && video.baseIndexAt > 0)
        this.#lastBaseIndex = (video.baseIndex + stretch.baseIndex) & 0xff
    }
    this.#sendAs(stretch, packet, video, payloadType, send)
    return true
  }

  /** The latest section of the current stream that started no later than this packet. */
  #stretchOf(sequence: number): Stretch | undefined {
    if (this.#source === undefined) return undefined
    for (let index = this.#stretches.length - 1; index >= 0; index--) {
      const stretch = this.#stretches[index]
      if (stretch?.source === undefined) continue
      if (stretch.source !== this.#source) return undefined
      if (ahead(sequence, stretch.firstIn) >= 0) return stretch
    }
    return undefined
  }

  #sendAs(
    stretch: Stretch,
    packet: Buffer,
    video: Vp8Descriptor | undefined,
    payloadType: number,
    send: (packet: Buffer) => void,
  ): void {
    const sequence = packet.readUInt16BE(2)
    const timestamp = packet.readUInt32BE(4)
    const ssrc = packet.readUInt32BE(8)
    const second = packet[1] ?? 0
    packet[1] = (second & 0x80) | payloadType
    packet.writeUInt16BE((sequence + stretch.sequence) & 0xffff, 2)
    packet.writeUInt32BE((timestamp + stretch.timestamp) >>> 0, 4)
    packet.writeUInt32BE(this.ssrc, 8)
    if (video !== undefined) {
      writePictureId(packet, video, video.pictureId + stretch.picture)
      writeBaseIndex(packet, video, video.baseIndex + stretch.baseIndex)
    }
    send(packet)
    packet[1] = second
    packet.writeUInt16BE(sequence, 2)
    packet.writeUInt32BE(timestamp, 4)
    packet.writeUInt32BE(ssrc, 8)
    if (video !== undefined) {
      writePictureId(packet, video, video.pictureId)
      writeBaseIndex(packet, video, video.baseIndex)
    }
  }

  /**
   * Retransmits the packet sent under this number. `fetch` returns a copy of a stream's packet. Returns false if
   * it is no longer available, or was never sent.
   */
  repeat(
    outgoing: number,
    payloadType: number,
    fetch: (source: object, sequence: number) => Buffer | undefined,
    send: (packet: Buffer) => void,
  ): boolean {
    if (ahead(outgoing, this.#lastSequence) > 0) return false
    const stretch = this.#stretches.findLast(({ firstOut }) => ahead(outgoing, firstOut) >= 0)
    if (stretch === undefined) return false
    if (stretch.source === undefined) {
      send(paddingPacket(this.ssrc, payloadType, outgoing, this.#lastTimestamp))
      return true
    }
    const packet = fetch(stretch.source, (outgoing - stretch.sequence) & 0xffff)
    const header = packet === undefined ? -1 : headerLength(packet)
    if (packet === undefined || header < 0) return false
    const video = this.#clockRate === videoClock ? repeated : undefined
    if (video !== undefined) readVp8(packet, header, video)
    this.#sendAs(stretch, packet, video, payloadType, send)
    return true
  }

  /**
   * Sends packets with padding only, to probe bandwidth: they use numbers of the outgoing stream, and later
   * packets shift accordingly. Only between two frames; RFC 3550 §5.1.
   */
  pad(count: number, payloadType: number, send: (packet: Buffer) => void): void {
    const firstOut = (this.#lastSequence + 1) & 0xffff
    const carried = this.#stretches.findLast(({ source }) => source !== undefined)
    this.#begin({ ...(carried ?? beginning), source: undefined, firstOut })
    for (let sent = 0; sent < count; sent++) {
      this.#lastSequence = (this.#lastSequence + 1) & 0xffff
      send(paddingPacket(this.ssrc, payloadType, this.#lastSequence, this.#lastTimestamp))
    }
    if (this.#source === undefined || carried === undefined) return
    this.#begin({
      ...carried,
      firstOut: (this.#lastSequence + 1) & 0xffff,
      firstIn: (firstOut - carried.sequence) & 0xffff,
      sequence: (carried.sequence + count) & 0xffff,
    })
  }
}

/** Initial state. */
const beginning = { firstIn: 0, sequence: 0, timestamp: 0, picture: 0, baseIndex: 0 }

const videoClock = 90_000
/** Reused for each retransmitted packet. */
const repeated = emptyDescriptor()

/** Maximum padding bytes per packet. */
const padding = 255

function paddingPacket(ssrc: number, payloadType: number, sequence: number, timestamp: number): Buffer {
  const packet = Buffer.alloc(20 + padding)
  packet[0] = 0xb0
  packet[1] = payloadType
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(timestamp, 4)
  packet.writeUInt32BE(ssrc, 8)
  // one extension: the transport-wide sequence number, which is set when sending
  packet.writeUInt16BE(0xbede, 12)
  packet.writeUInt16BE(1, 14)
  packet[16] = (transportSequenceId << 4) | 1
  packet[packet.length - 1] = padding
  return packet
}
