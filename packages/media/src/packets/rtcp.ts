import { ahead } from './sequence.ts'

/** RTCP packets: reports (RFC 3550 §6.4), feedback (RFC 4585, 5104), and the bitrate in goog-remb. */

export const rtcpType = {
  senderReport: 200,
  receiverReport: 201,
  transportFeedback: 205,
  payloadFeedback: 206,
}

/** Formats of feedback packets. */
export const feedbackFormat = { nack: 1, transportWide: 15, pli: 1, fir: 4, remb: 15 }

/** A packet within a compound one: `format` is the format or count in its first byte. */
export type RtcpVisitor = (type: number, format: number, start: number, end: number) => void

/** Calls back for each packet in a compound one; stops if it is malformed. */
export function eachRtcp(compound: Buffer, visit: RtcpVisitor): void {
  let at = 0
  while (at + 8 <= compound.length) {
    const end = at + (compound.readUInt16BE(at + 2) + 1) * 4
    if (end > compound.length || end < at + 8) return
    visit(compound[at + 1] ?? 0, (compound[at] ?? 0) & 31, at, end)
    at = end
  }
}

/** The media source that the feedback refers to. */
export function feedbackSource(packet: Buffer, start: number, end: number): number {
  return start + 12 <= end ? packet.readUInt32BE(start + 8) : 0
}

/** Picture loss indication, RFC 4585 §6.3.1. */
export function pictureLoss(sender: number, media: number): Buffer {
  return feedback(rtcpType.payloadFeedback, feedbackFormat.pli, sender, media, 0)
}

function feedback(type: number, format: number, sender: number, media: number, extra: number): Buffer {
  const packet = Buffer.alloc(12 + extra)
  packet[0] = 0x80 | format
  packet[1] = type
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(sender, 4)
  packet.writeUInt32BE(media, 8)
  return packet
}

/** Requests retransmission, RFC 4585 §6.2.1; ascending numbers make it shorter. */
export function negativeAcknowledgement(sender: number, media: number, missing: readonly number[]): Buffer {
  const items: { first: number; mask: number }[] = []
  for (const number of missing) {
    const last = items.at(-1)
    const distance = last === undefined ? 0 : ahead(number, last.first)
    if (last !== undefined && distance >= 1 && distance <= 16) last.mask |= 1 << (distance - 1)
    else items.push({ first: number, mask: 0 })
  }
  const packet = feedback(rtcpType.transportFeedback, feedbackFormat.nack, sender, media, items.length * 4)
  for (const [index, { first, mask }] of items.entries()) {
    packet.writeUInt16BE(first, 12 + index * 4)
    packet.writeUInt16BE(mask, 14 + index * 4)
  }
  return packet
}

/** Calls back with each requested sequence number. */
export function eachMissing(
  packet: Buffer,
  start: number,
  end: number,
  visit: (number: number) => void,
): void {
  for (let at = start + 12; at + 4 <= end; at += 4) {
    const first = packet.readUInt16BE(at)
    visit(first)
    const mask = packet.readUInt16BE(at + 2)
    for (let bit = 0; bit < 16; bit++) if ((mask & (1 << bit)) !== 0) visit((first + bit + 1) & 0xffff)
  }
}

export interface ReportBlock {
  readonly ssrc: number
  /** Share of packets lost since the last report, in 256ths. */
  readonly fractionLost: number
  /** Total since the beginning; negative if there are duplicates. */
  readonly lost: number
  readonly highest: number
  /** In units of the stream's clock. */
  readonly jitter: number
  /** The middle 32 bits of the last sender report's time; 0 if there was none. */
  readonly lastReport: number
  /** Time since that report, in 65536ths of a second. */
  readonly delay: number
}

/** Receiver report with one block, RFC 3550 §6.4.2. */
export function receiverReport(sender: number, block: ReportBlock): Buffer {
  const packet = Buffer.alloc(32)
  packet[0] = 0x81
  packet[1] = rtcpType.receiverReport
  packet.writeUInt16BE(7, 2)
  packet.writeUInt32BE(sender, 4)
  packet.writeUInt32BE(block.ssrc, 8)
  packet[12] = block.fractionLost
  packet.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, block.lost)), 13, 3)
  packet.writeUInt32BE(block.highest >>> 0, 16)
  packet.writeUInt32BE(block.jitter >>> 0, 20)
  packet.writeUInt32BE(block.lastReport >>> 0, 24)
  packet.writeUInt32BE(block.delay >>> 0, 28)
  return packet
}

/** Size of the sender information in a sender report, in bytes. */
const senderInfo = 28

/** The middle 32 bits of the time in a sender report; undefined if it is too short. */
export function reportTime(packet: Buffer, start: number, end: number): number | undefined {
  return start + senderInfo > end ? undefined : packet.readUInt32BE(start + 10)
}

/**
 * Rewrites a sender report for another stream, so that receivers of that stream keep audio and video in sync.
 */
export function rewriteSenderReport(
  packet: Buffer,
  start: number,
  stream: {
    readonly ssrc: number
    readonly timestampOffset: number
    readonly packets: number
    readonly octets: number
  },
): Buffer {
  const report = Buffer.from(packet.subarray(start, start + senderInfo))
  report[0] = 0x80
  report.writeUInt16BE(senderInfo / 4 - 1, 2)
  report.writeUInt32BE(stream.ssrc, 4)
  report.writeUInt32BE((report.readUInt32BE(16) + stream.timestampOffset) >>> 0, 16)
  report.writeUInt32BE(stream.packets >>> 0, 20)
  report.writeUInt32BE(stream.octets >>> 0, 24)
  return report
}

/** Limits a sender's bitrate (bit/s); draft-alvestrand-rmcat-remb. */
export function maximumBitrate(sender: number, bitrate: number, ssrcs: readonly number[]): Buffer {
  const packet = feedback(rtcpType.payloadFeedback, feedbackFormat.remb, sender, 0, 8 + ssrcs.length * 4)
  packet.write('REMB', 12, 'latin1')
  let exponent = 0
  let mantissa = Math.floor(bitrate)
  while (mantissa > 0x3ffff) {
    mantissa = Math.floor(mantissa / 2)
    exponent++
  }
  packet[16] = ssrcs.length
  packet[17] = (exponent << 2) | (mantissa >> 16)
  packet.writeUInt16BE(mantissa & 0xffff, 18)
  for (const [index, ssrc] of ssrcs.entries()) packet.writeUInt32BE(ssrc, 20 + index * 4)
  return packet
}
