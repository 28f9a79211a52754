import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachRtcp } from './rtcp.ts'
import { ArrivalLog, eachArrival } from './transport-feedback.ts'

/** All packets reported by a log, by number. */
function told(log: ArrivalLog): Map<number, number | undefined> {
  const all = new Map<number, number | undefined>()
  for (let packet = log.feedback(); packet !== undefined; packet = log.feedback()) {
    const feedback = packet
    eachRtcp(feedback, (_, __, start, end) =>
      eachArrival(feedback, start, end, (number, arrival) => {
        if (all.get(number) === undefined) all.set(number, arrival)
      }),
    )
  }
  return all
}

describe('transport-wide feedback', () => {
  it('reports when each packet arrived, to half a millisecond', () => {
    const arrivals = fc.array(
      fc.record({
        step: fc.integer({ min: 1, max: 30 }),
        pause: fc.double({ min: 0, max: 300, noNaN: true }),
      }),
      { minLength: 1, maxLength: 200 },
    )
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 0, max: 0xffff }), (steps, first) => {
        const log = new ArrivalLog(1)
        const expected = new Map<number, number>()
        let number = first
        let time = 123_456
        for (const { step, pause } of steps) {
          number += step
          time += pause
          log.add(number & 0xffff, time, 2)
          expected.set(number & 0xffff, time)
        }
        const found = told(log)
        const times = [...found].filter(([, arrival]) => arrival !== undefined)
        // the oldest packets before a long gap aren't reported
        for (const [key, arrival] of times) expect(arrival).toBeCloseTo(expected.get(key) ?? -1, 0)
        expect(times.length).toBeGreaterThanOrEqual(Math.min(expected.size, 13))
      }),
    )
  })

  it('reports losses', () => {
    const log = new ArrivalLog(1)
    for (const number of [65_534, 0, 3]) log.add(number, 1000, 2)
    expect([...told(log)].map(([number, arrival]) => [number, arrival !== undefined])).toEqual([
      [65_534, true],
      [65_535, false],
      [0, true],
      [1, false],
      [2, false],
      [3, true],
    ])
  })

  it('corrects a packet that was reported as lost before', () => {
    const log = new ArrivalLog(1)
    log.add(1, 1000, 2)
    log.add(3, 1001, 2)
    told(log)
    log.add(2, 1010, 2)
    expect(told(log).get(2)).toBeCloseTo(1010, 0)
  })

  it('is empty if nothing arrived', () => {
    const log = new ArrivalLog(1)
    expect(log.feedback()).toBeUndefined()
    log.add(1, 5, 2)
    expect(log.feedback()).toBeInstanceOf(Buffer)
    expect(log.feedback()).toBeUndefined()
  })

  it('skips numbers that a sender has jumped over', () => {
    const log = new ArrivalLog(1)
    for (let round = 0; round < 200; round++) log.add((round * 30_000) & 0xffff, round, 2)
    let packets = 0
    while (log.feedback() !== undefined) packets++
    expect(packets).toBeLessThan(5)
  })

  it('parses run lengths and one-bit vectors of other senders', () => {
    const packet = Buffer.alloc(32)
    packet[0] = 0x8f
    packet[1] = 205
    packet.writeUInt16BE(7, 2)
    packet.writeUInt16BE(100, 12)
    packet.writeUInt16BE(5, 14)
    packet.writeUIntBE(2, 16, 3)
    packet.writeUInt16BE((1 << 13) | 2, 20) // run of two small deltas
    packet.writeUInt16BE(0x8000 | (0b101 << 11), 22) // one bit each: received, lost, received
    packet[24] = 4
    packet[25] = 8
    packet[26] = 12
    packet[27] = 16
    const seen: [number, number | undefined][] = []
    eachArrival(packet, 0, packet.length, (number, arrival) => seen.push([number, arrival]))
    expect(seen).toEqual([
      [100, 129],
      [101, 131],
      [102, 134],
      [103, undefined],
      [104, 138],
    ])
  })

  it('with arbitrary bytes is parsed within its bounds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const packet = Buffer.from(bytes)
        expect(() => eachArrival(packet, 0, packet.length, () => {})).not.toThrow()
      }),
    )
  })
})
