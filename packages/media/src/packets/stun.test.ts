import { createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localUfrag, mendTieBreaker } from './stun.ts'

const password = 'a-password-of-twenty-two'

function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)])
}

/** A signed binding request. */
function request(tieBreaker: bigint, type = 0x802a): Buffer {
  const breaker = Buffer.alloc(8)
  breaker.writeBigUInt64BE(tieBreaker)
  const body = Buffer.concat([attribute(0x0006, Buffer.from('mine:theirs')), attribute(type, breaker)])
  const head = Buffer.alloc(20)
  head.writeUInt16BE(1, 0)
  head.writeUInt16BE(body.length + 24, 2)
  head.writeUInt32BE(0x2112a442, 4)
  const signed = Buffer.concat([head, body])
  const digest = createHmac('sha1', password).update(signed).digest()
  const whole = Buffer.concat([signed, attribute(0x0008, digest)])
  whole.writeUInt16BE(whole.length - 20 + 8, 2)
  const print = Buffer.alloc(4)
  print.writeUInt32BE((crc32(whole) ^ 0x5354554e) >>> 0)
  return Buffer.concat([whole, attribute(0x8028, print)])
}

const passwordOf = (ufrag: string) => (ufrag === 'mine' ? password : undefined)

describe('a binding request without a tie-breaker', () => {
  it.each([0x8029, 0x802a])('gets one and a new signature (%i)', (type) => {
    const mended = mendTieBreaker(request(0n, type), passwordOf)
    const at = mended.length - 8 - 24 - 8
    expect(mended.readBigUInt64BE(at)).not.toBe(0n)
    const covered = Buffer.from(mended.subarray(0, at + 8))
    covered.writeUInt16BE(covered.length + 24 - 20, 2)
    expect(mended.subarray(at + 12, at + 32)).toEqual(createHmac('sha1', password).update(covered).digest())
    const print = (crc32(mended.subarray(0, mended.length - 8)) ^ 0x5354554e) >>> 0
    expect(mended.readUInt32BE(mended.length - 4)).toBe(print)
    expect(mended.readUInt16BE(2)).toBe(mended.length - 20)
  })
})

describe('other packets', () => {
  it('are returned unchanged', () => {
    const whole = request(7n)
    expect(mendTieBreaker(whole, passwordOf)).toBe(whole)
    const stranger = request(0n)
    expect(mendTieBreaker(stranger, () => undefined)).toBe(stranger)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const packet = Buffer.from(bytes)
        expect(mendTieBreaker(packet, passwordOf)).toBe(packet)
      }),
    )
  })

  it('only binding requests name their recipient', () => {
    expect(localUfrag(request(0n))).toBe('mine')
    expect(localUfrag(Buffer.from('hello, this is no request at all'))).toBe('')
  })
})
