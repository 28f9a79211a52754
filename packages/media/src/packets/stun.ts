import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Binding requests of ICE (RFC 8489 §5, RFC 8445 §7.1) whose tie-breaker is missing in effect. */

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
 * A browser that speaks through a relay over TCP sends the tie-breaker 0, which the library takes for "none" and
 * refuses. The same request with a random one, signed anew with the password of the local side; what needs no
 * mending is returned as it is.
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

/** ICE name of the side that a request is for; empty: it is none. */
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
  // each covers what is before it, with a length that ends with itself
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
