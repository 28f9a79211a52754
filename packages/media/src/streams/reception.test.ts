import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { KeyFrameRequest, keyFrameInterval } from './key-frame-request.ts'
import { PacketRing } from './packet-ring.ts'
import { Reception } from './reception.ts'

function reception(): Reception {
  return new Reception(1, { clockRate: 90_000, asksAgain: true })
}

describe('the reception of a stream', () => {
  it('requests missing packets after a short delay for reordering', () => {
    const stream = reception()
    for (const sequence of [1, 2, 6]) stream.note(sequence, 0, 0)
    expect(stream.due(5)).toEqual([])
    stream.note(4, 0, 6)
    expect(stream.due(20)).toEqual([3, 5])
    expect(stream.due(30)).toEqual([])
    expect(stream.due(110)).toEqual([3, 5])
    stream.note(3, 0, 111)
    expect(stream.isMissing(3)).toBe(false)
    expect(stream.isMissing(5)).toBe(true)
  })

  it('gives up on packets that never arrive', () => {
    const stream = reception()
    stream.note(1, 0, 0)
    stream.note(3, 0, 0)
    let asked = 0
    for (let now = 0; now < 5000; now += 25) asked += stream.due(now).length
    expect(asked).toBe(8)
    expect(stream.isMissing(2)).toBe(false)
  })

  it('treats a long gap as a break and requests nothing', () => {
    const stream = reception()
    stream.note(1, 0, 0)
    stream.note(1000, 0, 0)
    expect(stream.due(100)).toEqual([])
  })

  it('limits its memory for a sender that skips more than it sends', () => {
    const stream = reception()
    for (let sequence = 0; sequence < 100_000; sequence += 150) stream.note(sequence & 0xffff, 0, 0)
    expect(stream.due(20, 100_000).length).toBeLessThan(1400)
  })

  it('reports exact losses in any order of arrival', () => {
    const runs = fc.array(fc.boolean(), { minLength: 2, maxLength: 400 })
    fc.assert(
      fc.property(runs, fc.integer({ min: 0, max: 0xffff }), (came, first) => {
        const stream = reception()
        const sequences = [true, ...came, true].flatMap((is, index) => (is ? [(first + index) & 0xffff] : []))
        // swaps neighbours, except the first
        for (let index = 1; index + 2 < sequences.length; index += 2)
          sequences.splice(index, 2, sequences[index + 1] ?? 0, sequences[index] ?? 0)
        for (const sequence of sequences) stream.note(sequence, 0, 0)
        const lost = came.filter((is) => !is).length
        expect(stream.lost).toBe(lost)
        const report = stream.report(0)
        expect(report).toMatchObject({ lost, highest: first + came.length + 1 })
        expect(report?.fractionLost).toBe(Math.min(255, Math.floor((lost * 256) / (came.length + 2))))
        expect(stream.report(0)?.fractionLost).toBe(0)
      }),
    )
  })

  it('reports the time since the last sender report', () => {
    const stream = reception()
    expect(stream.report(0)).toBeUndefined()
    stream.note(1, 0, 0)
    stream.noteReport(0x1234, 1000)
    expect(stream.report(2000)).toMatchObject({ lastReport: 0x1234, delay: 65_536 })
  })
})

describe('keyframe requests', () => {
  it('made together are sent as one, and later ones as one more', () => {
    vi.useFakeTimers()
    try {
      let sent = 0
      const request = new KeyFrameRequest(() => {
        sent++
        return true
      })
      for (let now = 0; now < 100; now += 10) request.ask(now)
      expect(sent).toBe(1)
      vi.advanceTimersByTime(keyFrameInterval)
      expect(sent).toBe(2)
      vi.advanceTimersByTime(10 * keyFrameInterval)
      expect(sent).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it("that couldn't be sent don't delay the next one", () => {
    let works = false
    const request = new KeyFrameRequest(() => works)
    request.ask(0)
    works = true
    request.ask(1)
    expect(request.sent).toBe(1)
  })
})

describe('the packet ring', () => {
  it('keeps copies of only the latest packets', () => {
    const ring = new PacketRing()
    const packet = Buffer.alloc(12)
    for (let sequence = 0; sequence < 600; sequence++) {
      packet.writeUInt16BE(sequence, 2)
      ring.add(sequence, packet)
    }
    packet.writeUInt16BE(0, 2)
    expect(ring.get(599)?.readUInt16BE(2)).toBe(599)
    expect(ring.get(600 - PacketRing.capacity)?.readUInt16BE(2)).toBe(600 - PacketRing.capacity)
    expect(ring.get(87)).toBeUndefined()
    expect(ring.get(700)).toBeUndefined()
    ring.clear()
    expect(ring.get(599)).toBeUndefined()
  })
})
