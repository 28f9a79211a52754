/**
 * RTP packets (RFC 3550 §5) and their one-byte header extensions (RFC 8285 §4.2), parsed and modified in
 * place.
 */

/** Bytes of a header without contributing sources and extensions. */
export const fixedHeader = 12

const oneByteProfile = 0xbede

/** RTCP has its packet type in place of RTP's marker and payload type; RFC 5761 §4. */
export function isRtcp(packet: Buffer): boolean {
  const type = packet[1] ?? 0
  return type >= 192 && type <= 223
}

/** Number of bytes before the payload; -1 if the packet is shorter than its header, or isn't RTP. */
export function headerLength(packet: Buffer): number {
  const first = packet[0] ?? 0
  if (first >> 6 !== 2) return -1
  let length = fixedHeader + (first & 15) * 4
  if ((first & 0x10) !== 0) {
    if (length + 4 > packet.length) return -1
    length += 4 + packet.readUInt16BE(length + 2) * 4
  }
  return length > packet.length ? -1 : length
}

/** Number of padding bytes at the end; RFC 3550 §5.1. */
export function paddingLength(packet: Buffer): number {
  return ((packet[0] ?? 0) & 0x20) === 0 ? 0 : (packet[packet.length - 1] ?? 0)
}

/** Offset of a header extension's data; 0 if it is absent. */
export function findExtension(packet: Buffer, id: number): number {
  const end = extensionsEnd(packet)
  let at = end === 0 ? 0 : extensionsStart(packet)
  while (at < end) {
    const element = packet[at] ?? 0
    if (element === 0) {
      at++
      continue
    }
    const found = element >> 4
    const length = (element & 15) + 1
    if (found === 15 || at + length >= end) return 0
    if (found === id) return at + 1
    at += 1 + length
  }
  return 0
}

/** Renumbers extensions: `ids[old]` is the new number; 0 turns the element into padding. */
export function renumberExtensions(packet: Buffer, ids: Uint8Array): void {
  const end = extensionsEnd(packet)
  let at = end === 0 ? 0 : extensionsStart(packet)
  while (at < end) {
    const element = packet[at] ?? 0
    if (element === 0) {
      at++
      continue
    }
    const next = at + 2 + (element & 15)
    const id = element >> 4 === 15 || next > end ? 0 : (ids[element >> 4] ?? 0)
    if (id === 0) packet.fill(0, at, Math.min(next, end))
    else packet[at] = (id << 4) | (element & 15)
    at = next
  }
}

function extensionsStart(packet: Buffer): number {
  return fixedHeader + ((packet[0] ?? 0) & 15) * 4 + 4
}

/** End of the extensions; 0 if there are none that we parse. */
function extensionsEnd(packet: Buffer): number {
  if (((packet[0] ?? 0) & 0x10) === 0) return 0
  const start = extensionsStart(packet)
  if (start > packet.length || packet.readUInt16BE(start - 4) !== oneByteProfile) return 0
  return Math.min(packet.length, start + packet.readUInt16BE(start - 2) * 4)
}

/** Converts milliseconds to abs-send-time: seconds as 6.18 fixed point in 24 bits. */
export function absoluteSendTime(milliseconds: number): number {
  return Math.floor(((milliseconds / 1000) % 64) * 262_144) & 0xffffff
}

/**
 * Restores the original packet from a retransmission (RFC 4588 §4) in place; `packet` must not be used
 * afterwards.
 */
export function unwrapRetransmission(
  packet: Buffer,
  header: number,
  original: { readonly payloadType: number; readonly ssrc: number },
): Buffer {
  const sequence = packet.readUInt16BE(header)
  packet.copyWithin(2, 0, header)
  const inner = packet.subarray(2)
  inner[1] = ((inner[1] ?? 0) & 0x80) | original.payloadType
  inner.writeUInt16BE(sequence, 2)
  inner.writeUInt32BE(original.ssrc, 8)
  return inner
}
