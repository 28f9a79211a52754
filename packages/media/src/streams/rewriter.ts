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

/** A stretch of the outgoing stream that comes from one stream with the same offsets. */
interface Stretch {
  /** Undefined: padding of our own. */
  readonly source: object | undefined
  /** First number of the stretch, outgoing and incoming. */
  readonly firstOut: number
  readonly firstIn: number
  readonly sequence: number
  readonly timestamp: number
  readonly picture: number
  readonly baseIndex: number
}

/** Stretches that packets may still be asked for from. */
const maxStretches = 32

/**
 * Makes one continuous stream out of those that a receiver's media line carries in turn: layers of a camera, the
 * camera of somebody else. Numbers and time go on without a gap, so that no receiver notices the change.
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
  /** Changes from one stream to another. */
  switches = 0

  constructor(ssrc: number, clockRate: number) {
    this.ssrc = ssrc
    this.#clockRate = clockRate
  }

  /** The stream that is carried now. */
  get source(): object | undefined {
    return this.#source
  }

  /** What is added to the timestamps of the stream that is carried now. */
  get timestampOffset(): number {
    return this.#stretches.at(-1)?.timestamp ?? 0
  }

  /** Goes over to another stream, beginning with this packet; a video's must be a key frame. */
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

  /** Nothing is carried from now on; the next stream begins anew. */
  end(): void {
    this.#source = undefined
  }

  /**
   * Sends a packet of the stream that is followed as one of the outgoing stream. The packet is changed while `send`
   * runs and is as before afterwards. False: it is older than what the outgoing stream has of it.
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

  /** The newest stretch of the followed stream that began no later than this packet. */
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
   * Sends once more what went out under this number. `fetch` gives a copy of a stream's packet. False: it is no
   * longer known, or was never sent.
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
   * Packets of nothing but padding, to see what the way carries: they take numbers of the outgoing stream, and what
   * follows moves on by them. Only between two pictures; RFC 3550 §5.1.
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

/** Before anything was carried. */
const beginning = { firstIn: 0, sequence: 0, timestamp: 0, picture: 0, baseIndex: 0 }

const videoClock = 90_000
/** Used again for each packet that is repeated. */
const repeated = emptyDescriptor()

/** Bytes of padding in one packet: the most that there can be. */
const padding = 255

function paddingPacket(ssrc: number, payloadType: number, sequence: number, timestamp: number): Buffer {
  const packet = Buffer.alloc(20 + padding)
  packet[0] = 0xb0
  packet[1] = payloadType
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(timestamp, 4)
  packet.writeUInt32BE(ssrc, 8)
  // one extension: the number for the estimate of the way, which the sender fills in
  packet.writeUInt16BE(0xbede, 12)
  packet.writeUInt16BE(1, 14)
  packet[16] = (transportSequenceId << 4) | 1
  packet[packet.length - 1] = padding
  return packet
}
