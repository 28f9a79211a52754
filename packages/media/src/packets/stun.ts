import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** ICE binding requests (RFC 8489 §5, RFC 8445 §7.1) whose tie-breaker is effectively missing. */

const bindingRequest = 0x0001
const magicCookie = 0x2112a442
const attribute = {
  username: 0x0006,
  integrity: 0x0008,
  fingerprint: 0x8028,
  controlled: 0x8029,
  controlling: 0x802a,
}
const integrityLength = 24
const fingerprintLength = 8
const fingerprintMask = 0x5354554e

/**
 * Browsers that use a relay over TCP send the tie-breaker 0, which the library treats as missing and rejects.
 * Replaces it with a random one and signs the request with the local side's password; returns other packets
 * unchanged.
 */
export function mendTieBreaker(
  packet: Buffer,
  passwordOf: (localUfrag: string) => string | undefined,
): Buffer {
  if (!isBindingRequest(packet)) return packet
  const found = readAttributes(packet)
  if (found.tieBreakerAt < 0 || found.integrityAt < 0) return packet
  const password = passwordOf(found.localUfrag)
  if (password === undefined) return packet
  return sign(packet, found.tieBreakerAt, found.integrityAt, password)
}

/** ICE ufrag of a request's recipient; empty for other packets. */
export function localUfrag(packet: Buffer): string {
  return isBindingRequest(packet) ? readAttributes(packet).localUfrag : ''
}

function isBindingRequest(packet: Buffer): boolean {
  return (
    packet.length >= 20 && packet.readUInt16BE(0) === bindingRequest && packet.readUInt32BE(4) === magicCookie
  )
}

function readAttributes(packet: Buffer): { tieBreakerAt: number; integrityAt: number; localUfrag: string } {
  let tieBreakerAt = -1
  let localUfrag = ''
  for (let at = 20; at + 4 <= packet.length; ) {
    const type = packet.readUInt16BE(at)
    const length = packet.readUInt16BE(at + 2)
    if (at + 4 + length > packet.length) break
    if (type === attribute.integrity) return { tieBreakerAt, integrityAt: at, localUfrag }
    if (type === attribute.username)
      localUfrag = packet.toString('utf8', at + 4, at + 4 + length).split(':')[0] ?? ''
    const isTieBreaker = type === attribute.controlled || type === attribute.controlling
    if (isTieBreaker && length === 8 && packet.readBigUInt64BE(at + 4) === 0n) tieBreakerAt = at + 4
    at += 4 + length + ((4 - (length % 4)) % 4)
  }
  return { tieBreakerAt, integrityAt: -1, localUfrag }
}

function sign(packet: Buffer, tieBreakerAt: number, integrityAt: number, password: string): Buffer {
  const mended = Buffer.alloc(integrityAt + integrityLength + fingerprintLength)
  packet.copy(mended, 0, 0, integrityAt)
  randomBytes(8).copy(mended, tieBreakerAt)
  // each covers what precedes it, with a length up to its own end
  mended.writeUInt16BE(integrityAt + integrityLength - 20, 2)
  const digest = createHmac('sha1', password).update(mended.subarray(0, integrityAt)).digest()
  mended.writeUInt16BE(attribute.integrity, integrityAt)
  mended.writeUInt16BE(digest.length, integrityAt + 2)
  digest.copy(mended, integrityAt + 4)
  const fingerprintAt = integrityAt + integrityLength
  mended.writeUInt16BE(mended.length - 20, 2)
  mended.writeUInt16BE(attribute.fingerprint, fingerprintAt)
  mended.writeUInt16BE(4, fingerprintAt + 2)
  mended.writeUInt32BE((crc32(mended.subarray(0, fingerprintAt)) ^ fingerprintMask) >>> 0, fingerprintAt + 4)
  return mended
}
