import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  absoluteSendTime,
  findExtension,
  headerLength,
  isRtcp,
  paddingLength,
  renumberExtensions,
  unwrapRetransmission,
} from './rtp.ts'
import { ahead, SequenceUnwrapper } from './sequence.ts'

/** An RTP packet with these one-byte extensions. */
function packet(
  extensions: readonly (readonly [id: number, data: readonly number[]])[],
  payload = [1, 2, 3],
) {
  const elements = extensions.flatMap(([id, data]) => [(id << 4) | (data.length - 1), ...data])
  while (elements.length % 4 !== 0) elements.push(0)
  const header = Buffer.alloc(16)
  header[0] = 0x90
  header[1] = 96
  header.writeUInt16BE(7, 2)
  header.writeUInt32BE(42, 8)
  header.writeUInt16BE(0xbede, 12)
  header.writeUInt16BE(elements.length / 4, 14)
  return Buffer.concat([header, Buffer.from(elements), Buffer.from(payload)])
}

describe('an RTP packet', () => {
  it('is distinguished from RTCP by its second byte', () => {
    expect(isRtcp(Buffer.from([0x80, 200]))).toBe(true)
    expect(isRtcp(Buffer.from([0x80, 0x80 | 96]))).toBe(false)
    expect(isRtcp(Buffer.alloc(0))).toBe(false)
  })

  it('has a header with contributing sources and extensions', () => {
    expect(headerLength(packet([]))).toBe(16)
    expect(headerLength(packet([[1, [9, 9]]]))).toBe(20)
    const contributed = Buffer.alloc(24)
    contributed[0] = 0x82
    expect(headerLength(contributed)).toBe(20)
  })

  it('that is shorter than its header is invalid', () => {
    expect(headerLength(Buffer.alloc(4))).toBe(-1)
    const whole = packet([[1, [9, 9]]], [])
    for (let length = 0; length < whole.length; length++)
      expect(headerLength(whole.subarray(0, length))).toBe(-1)
  })

  it('has extensions that can be located and renumbered', () => {
    const one = packet([
      [3, [0xaa]],
      [5, [0xbb, 0xcc]],
      [9, [0xdd]],
    ])
    expect(one[findExtension(one, 5)]).toBe(0xbb)
    expect(findExtension(one, 4)).toBe(0)
    const ids = new Uint8Array(16)
    ids[3] = 1
    ids[5] = 2
    renumberExtensions(one, ids)
    expect(one[findExtension(one, 1)]).toBe(0xaa)
    expect(one[findExtension(one, 2)]).toBe(0xbb)
    expect(one.includes(0xdd)).toBe(false)
    expect(headerLength(one)).toBe(24)
  })

  it('with arbitrary bytes is parsed within its bounds', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 12, maxLength: 60 }),
        fc.integer({ min: 1, max: 14 }),
        (bytes, id) => {
          const one = Buffer.from(bytes)
          if (headerLength(one) < 0) return
          const at = findExtension(one, id)
          expect(at).toBeLessThan(one.length)
          renumberExtensions(one, new Uint8Array(16))
          expect(findExtension(one, id)).toBe(0)
          expect(one.length).toBe(bytes.length)
        },
      ),
    )
  })

  it('is restored from its retransmission unchanged', () => {
    const wrapped = packet([[1, [9]]], [0x12, 0x34, 7, 8])
    wrapped[1] = 0x80 | 97
    const inner = unwrapRetransmission(wrapped, headerLength(wrapped), { payloadType: 96, ssrc: 5 })
    expect(inner[1]).toBe(0x80 | 96)
    expect(inner.readUInt16BE(2)).toBe(0x1234)
    expect(inner.readUInt32BE(8)).toBe(5)
    expect([...inner.subarray(headerLength(inner))]).toEqual([7, 8])
    expect(inner[findExtension(inner, 1)]).toBe(9)
  })

  it('has padding only if its flag is set', () => {
    const padded = packet([], [1, 0, 2])
    expect(paddingLength(padded)).toBe(0)
    padded[0] = 0xb0
    expect(paddingLength(padded)).toBe(2)
  })

  it('has a 24-bit send time', () => {
    expect(absoluteSendTime(0)).toBe(0)
    expect(absoluteSendTime(1000)).toBe(1 << 18)
    expect(absoluteSendTime(64_000)).toBe(0)
  })
})

describe('a 16-bit sequence number', () => {
  it('is compared correctly across a wraparound', () => {
    expect(ahead(1, 0xffff)).toBe(2)
    expect(ahead(0xffff, 1)).toBe(-2)
    expect(ahead(5, 5)).toBe(0)
  })

  it('increases monotonically once unwrapped, in any order of arrival', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30, max: 200 }), { maxLength: 300 }), (steps) => {
        const unwrapper = new SequenceUnwrapper()
        let number = 65_000
        const offset = unwrapper.unwrap(number & 0xffff) - number
        for (const step of steps) {
          number += step
          expect(unwrapper.unwrap(number & 0xffff)).toBe(number + offset)
        }
      }),
    )
  })
})
