import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  eachMissing,
  eachRtcp,
  feedbackSource,
  maximumBitrate,
  negativeAcknowledgement,
  pictureLoss,
  receiverReport,
  reportTime,
  rewriteSenderReport,
  rtcpType,
} from './rtcp.ts'

describe('RTCP', () => {
  it('is parsed packet by packet', () => {
    const seen: number[] = []
    const compound = Buffer.concat([pictureLoss(1, 2), negativeAcknowledgement(1, 3, [5])])
    eachRtcp(compound, (type, _, start, end) => seen.push(type, feedbackSource(compound, start, end)))
    expect(seen).toEqual([rtcpType.payloadFeedback, 2, rtcpType.transportFeedback, 3])
  })

  it('with arbitrary bytes is parsed within its bounds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const packet = Buffer.from(bytes)
        eachRtcp(packet, (_, __, start, end) => {
          expect(end).toBeLessThanOrEqual(packet.length)
          expect(end - start).toBeGreaterThanOrEqual(8)
          feedbackSource(packet, start, end)
          reportTime(packet, start, end)
        })
      }),
    )
  })

  it('requests exactly the missing packets', () => {
    const ascending = fc
      .tuple(
        fc.integer({ min: 0, max: 0xffff }),
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }),
      )
      .map(([first, steps]) => {
        let number = first
        return [first, ...steps.map((step) => (number = (number + step) & 0xffff))]
      })
    fc.assert(
      fc.property(ascending, (missing) => {
        const packet = negativeAcknowledgement(1, 2, missing)
        const asked: number[] = []
        eachMissing(packet, 0, packet.length, (number) => asked.push(number))
        expect(asked).toEqual(missing)
      }),
    )
  })

  it('reports reception statistics', () => {
    const report = receiverReport(1, {
      ssrc: 2,
      fractionLost: 64,
      lost: -3,
      highest: 70_000,
      jitter: 9,
      lastReport: 0xdeadbeef,
      delay: 65_536,
    })
    expect(report[12]).toBe(64)
    expect(report.readIntBE(13, 3)).toBe(-3)
    expect(report.readUInt32BE(16)).toBe(70_000)
    expect(report.readUInt32BE(24)).toBe(0xdeadbeef)
  })

  it('encodes a bitrate as an 18-bit mantissa and an exponent', () => {
    const packet = maximumBitrate(1, 6_000_000, [7, 8])
    const exponent = (packet[17] ?? 0) >> 2
    const mantissa = (((packet[17] ?? 0) & 3) << 16) | packet.readUInt16BE(18)
    expect(mantissa * 2 ** exponent).toBeGreaterThan(5_999_900)
    expect(packet.toString('latin1', 12, 16)).toBe('REMB')
    expect(packet.readUInt32BE(24)).toBe(8)
    expect(packet.length).toBe((packet.readUInt16BE(2) + 1) * 4)
  })

  it('keeps the time of a sender report and rewrites its source', () => {
    const report = Buffer.alloc(52)
    report[0] = 0x81
    report[1] = rtcpType.senderReport
    report.writeUInt16BE(12, 2)
    report.writeUInt32BE(5, 4)
    report.writeUInt32BE(0x01020304, 8)
    report.writeUInt32BE(0x05060708, 12)
    report.writeUInt32BE(0xffffffff, 16)
    expect(reportTime(report, 0, report.length)).toBe(0x03040506)
    const rewritten = rewriteSenderReport(report, 0, { ssrc: 9, timestampOffset: 2, packets: 3, octets: 4 })
    expect(rewritten.length).toBe(28)
    expect(rewritten.readUInt32BE(4)).toBe(9)
    expect(rewritten.readUInt32BE(8)).toBe(0x01020304)
    expect(rewritten.readUInt32BE(16)).toBe(1)
    expect(reportTime(report, 0, 20)).toBeUndefined()
  })
})
