/** The VP8 payload descriptor (RFC 7741 §4.2), as far as it must be rewritten, and the size of keyframes. */
export interface Vp8Descriptor {
  /** The packet starts a keyframe. */
  keyFrame: boolean
  /** Offset of the picture ID; 0 if absent. */
  pictureIdAt: number
  /** The picture ID has 15 bits, otherwise 7. */
  longPictureId: boolean
  pictureId: number
  /** Offset of TL0PICIDX; 0 if absent. */
  baseIndexAt: number
  baseIndex: number
  /** Pixels; 0 except for keyframes. */
  width: number
  height: number
}

export function emptyDescriptor(): Vp8Descriptor {
  return {
    keyFrame: false,
    pictureIdAt: 0,
    longPictureId: false,
    pictureId: 0,
    baseIndexAt: 0,
    baseIndex: 0,
    width: 0,
    height: 0,
  }
}

/**
 * Parses into `out`, which is reused for each packet. Fields missing in a short packet are treated as absent.
 */
export function readVp8(packet: Buffer, payload: number, out: Vp8Descriptor): void {
  out.keyFrame = false
  out.pictureIdAt = 0
  out.baseIndexAt = 0
  out.width = 0
  out.height = 0
  const first = packet[payload]
  if (first === undefined) return
  let at = payload + 1
  if ((first & 0x80) !== 0) at = readExtended(packet, at, out)
  const startsPicture = (first & 0x10) !== 0 && (first & 7) === 0
  // P bit of the frame header, RFC 6386 §9.1: 0 for key frames
  if (!startsPicture || at >= packet.length || ((packet[at] ?? 1) & 1) !== 0) return
  out.keyFrame = true
  if (at + 10 > packet.length || packet.readUIntBE(at + 3, 3) !== 0x9d012a) return
  out.width = packet.readUInt16LE(at + 6) & 0x3fff
  out.height = packet.readUInt16LE(at + 8) & 0x3fff
}

function readExtended(packet: Buffer, start: number, out: Vp8Descriptor): number {
  const bits = packet[start] ?? 0
  let at = start + 1
  if ((bits & 0x80) !== 0) {
    out.longPictureId = ((packet[at] ?? 0) & 0x80) !== 0
    const end = at + (out.longPictureId ? 2 : 1)
    if (end <= packet.length) {
      out.pictureIdAt = at
      out.pictureId = out.longPictureId ? packet.readUInt16BE(at) & 0x7fff : (packet[at] ?? 0) & 0x7f
    }
    at = end
  }
  if ((bits & 0x40) !== 0) {
    if (at < packet.length) {
      out.baseIndexAt = at
      out.baseIndex = packet[at] ?? 0
    }
    at++
  }
  return (bits & 0x30) === 0 ? at : at + 1
}

export function writePictureId(packet: Buffer, descriptor: Vp8Descriptor, id: number): void {
  if (descriptor.pictureIdAt === 0) return
  if (descriptor.longPictureId) packet.writeUInt16BE(0x8000 | (id & 0x7fff), descriptor.pictureIdAt)
  else packet[descriptor.pictureIdAt] = id & 0x7f
}

export function writeBaseIndex(packet: Buffer, descriptor: Vp8Descriptor, index: number): void {
  if (descriptor.baseIndexAt !== 0) packet[descriptor.baseIndexAt] = index & 0xff
}
