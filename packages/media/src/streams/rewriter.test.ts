import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerLength } from '../packets/rtp.ts'
import { ahead } from '../packets/sequence.ts'
import { emptyDescriptor, readVp8 } from '../packets/vp8.ts'
import { type VideoPacketFacts, videoPacket } from '../testing/packets.ts'
import { Rewriter } from './rewriter.ts'

interface Sent {
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly pictureId: number
  readonly baseIndex: number
  readonly payload: number
}

function facts(packet: Buffer): Sent {
  const video = emptyDescriptor()
  const header = headerLength(packet)
  readVp8(packet, header, video)
  return {
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    pictureId: video.pictureId,
    baseIndex: video.baseIndex,
    payload: packet.length - header - ((packet[0] ?? 0) & 0x20 ? (packet.at(-1) ?? 0) : 0),
  }
}

class Stream {
  readonly rewriter = new Rewriter(777, 90_000)
  readonly sent: Sent[] = []

  send(source: object, packetFacts: VideoPacketFacts, now = 0): boolean {
    const packet = videoPacket(packetFacts)
    const before = Buffer.from(packet)
    const video = emptyDescriptor()
    readVp8(packet, headerLength(packet), video)
    if (this.rewriter.source !== source) this.rewriter.follow(source, packet, video, now)
    const forwarded = this.rewriter.forward(packet, video, 96, now, (out) => this.sent.push(facts(out)))
    expect(packet).toEqual(before)
    return forwarded
  }
}

describe("a receiver's stream", () => {
  it('continues without a gap from one source to the next', () => {
    const stream = new Stream()
    const [low, high] = [{}, {}]
    stream.send(low, { sequence: 65_535, timestamp: 0xffff_ff00, pictureId: 0x7fff, baseIndex: 255 }, 0)
    stream.send(low, { sequence: 0, timestamp: 0x00000ac8, pictureId: 0, baseIndex: 0 }, 33)
    stream.send(high, { sequence: 30_000, timestamp: 5, pictureId: 12, baseIndex: 40 }, 66)
    stream.send(high, { sequence: 30_001, timestamp: 3005, pictureId: 13, baseIndex: 41 }, 99)
    const [first, ...others] = stream.sent
    for (const [index, one] of others.entries()) {
      expect(ahead(one.sequence, first?.sequence ?? 0)).toBe(index + 1)
      expect((one.pictureId - (first?.pictureId ?? 0)) & 0x7fff).toBe(index + 1)
      expect((one.baseIndex - (first?.baseIndex ?? 0)) & 0xff).toBe(index + 1)
      expect(one.ssrc).toBe(777)
    }
    const times = stream.sent.map(({ timestamp }) => (timestamp - (first?.timestamp ?? 0)) >>> 0)
    // 33 ms of the source's clock, then 33 ms of ours at the switch, then the source's again
    expect(times).toEqual([0, 3016, 5986, 8986])
    expect(stream.rewriter.switches).toBe(1)
  })

  it('skips packets older than the switch', () => {
    const stream = new Stream()
    const source = {}
    stream.send(source, { sequence: 100 })
    expect(stream.send(source, { sequence: 99 })).toBe(false)
    expect(stream.sent).toHaveLength(1)
  })

  it('accepts reordered packets', () => {
    const stream = new Stream()
    const source = {}
    for (const sequence of [10, 12, 11]) stream.send(source, { sequence })
    const [first] = stream.sent
    expect(stream.sent.map(({ sequence }) => ahead(sequence, first?.sequence ?? 0))).toEqual([0, 2, 1])
  })

  it('uses every number once, across switches and padding in any order', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('packets' as const), count: fc.integer({ min: 1, max: 20 }) }),
        fc.record({ kind: fc.constant('change' as const), count: fc.integer({ min: 0, max: 0xffff }) }),
        fc.record({ kind: fc.constant('padding' as const), count: fc.integer({ min: 1, max: 9 }) }),
        fc.record({ kind: fc.constant('end' as const), count: fc.constant(0) }),
      ),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(steps, (all) => {
        const stream = new Stream()
        let source = {}
        let sequence = 5
        for (const { kind, count } of all) {
          if (kind === 'change') {
            source = {}
            sequence = count
          } else if (kind === 'padding') {
            stream.rewriter.pad(count, 96, (out) => stream.sent.push(facts(out)))
          } else if (kind === 'end') {
            stream.rewriter.end()
          } else {
            for (let sent = 0; sent < count; sent++) stream.send(source, { sequence: sequence++ & 0xffff })
          }
        }
        for (const [index, one] of stream.sent.entries())
          expect(ahead(one.sequence, stream.sent[0]?.sequence ?? 0)).toBe(index)
      }),
      { numRuns: 30 },
    )
  })

  it('is retransmitted unchanged, also from before a switch and across padding', () => {
    const stream = new Stream()
    const kept = new Map<object, Map<number, Buffer>>()
    const send = (source: object, one: VideoPacketFacts) => {
      const ring = kept.get(source) ?? new Map<number, Buffer>()
      kept.set(source, ring.set(one.sequence, videoPacket(one)))
      stream.send(source, one)
    }
    const [low, high] = [{}, {}]
    for (let index = 0; index < 5; index++)
      send(low, {
        sequence: 65_533 + index > 65_535 ? index - 3 : 65_533 + index,
        pictureId: 50 + index,
        timestamp: index * 3000,
      })
    for (let index = 0; index < 5; index++)
      send(high, { sequence: 900 + index, pictureId: 7 + index, timestamp: index * 3000 })
    stream.rewriter.pad(3, 96, (out) => stream.sent.push(facts(out)))
    for (let index = 5; index < 9; index++)
      send(high, { sequence: 900 + index, pictureId: 7 + index, timestamp: index * 3000 })
    for (const one of stream.sent) {
      const again: Sent[] = []
      const found = stream.rewriter.repeat(
        one.sequence,
        96,
        (source, sequence) => kept.get(source)?.get(sequence),
        (packet) => again.push(facts(packet)),
      )
      expect(found).toBe(true)
      expect(
        again[0]?.payload === 0
          ? { ...again[0], timestamp: one.timestamp, pictureId: one.pictureId, baseIndex: one.baseIndex }
          : again[0],
      ).toEqual(one)
    }
  })

  it('does not retransmit what was never sent', () => {
    const stream = new Stream()
    stream.send({}, { sequence: 100 })
    const last = stream.sent[0]?.sequence ?? 0
    const repeat = (number: number) =>
      stream.rewriter.repeat(
        number & 0xffff,
        96,
        () => videoPacket({ sequence: 1 }),
        () => {},
      )
    expect(repeat(last + 1)).toBe(false)
    expect(repeat(last - 1)).toBe(false)
    expect(repeat(last)).toBe(true)
  })
})
