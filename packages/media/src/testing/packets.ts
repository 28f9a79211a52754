import { transportSequenceId } from '../sdp/header-extensions.ts'

export interface VideoPacketFacts {
  readonly sequence: number
  readonly timestamp?: number
  readonly ssrc?: number
  readonly payloadType?: number
  readonly marker?: boolean
  readonly pictureId?: number
  readonly baseIndex?: number
  readonly keyFrame?: { readonly width: number; readonly height: number }
  /** Bytes of frame data beyond the minimum of keyframes. */
  readonly size?: number
}

/** A VP8 packet that starts a frame, with the transport-wide sequence number extension. */
export function videoPacket(facts: VideoPacketFacts): Buffer {
  const { sequence, timestamp = 0, ssrc = 1, payloadType = 96, marker = true, size = 4 } = facts
  const header = Buffer.alloc(20)
  header[0] = 0x90
  header[1] = payloadType | (marker ? 0x80 : 0)
  header.writeUInt16BE(sequence & 0xffff, 2)
  header.writeUInt32BE(timestamp >>> 0, 4)
  header.writeUInt32BE(ssrc, 8)
  header.writeUInt16BE(0xbede, 12)
  header.writeUInt16BE(1, 14)
  header[16] = (transportSequenceId << 4) | 1
  return Buffer.concat([header, descriptor(facts), picture(facts), Buffer.alloc(size)])
}

/** Payload descriptor with a 15-bit picture ID and TL0PICIDX. */
function descriptor({ pictureId = 1, baseIndex = 1 }: VideoPacketFacts): Buffer {
  return Buffer.from([0x90, 0xc0, 0x80 | (pictureId >> 8), pictureId & 0xff, baseIndex & 0xff])
}

/** Start of a frame, RFC 6386 §9.1. */
function picture({ keyFrame }: VideoPacketFacts): Buffer {
  if (keyFrame === undefined) return Buffer.from([0x01])
  const bytes = Buffer.from([0x00, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0])
  bytes.writeUInt16LE(keyFrame.width, 6)
  bytes.writeUInt16LE(keyFrame.height, 8)
  return bytes
}
