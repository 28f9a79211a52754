import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Arrival, spaceBursts } from './arrival-spacing.ts'
import { absoluteSendTime } from './rtp.ts'

const sent = (milliseconds: number) => absoluteSendTime(milliseconds)

/** Packets sent one millisecond apart, from just before the send time wraps around. */
const probe = (count: number, arrival: (index: number) => number): Arrival[] =>
  Array.from({ length: count }, (_, index) => ({ at: arrival(index), sentAt: sent(63_990 + index) }))

describe('arrivals in a burst', () => {
  it('are spaced as the packets were sent, up to the last one', () => {
    const spaced = spaceBursts(probe(16, (index) => 1000 + index * 0.05))
    expect(spaced.at(-1)).toBe(1000.75)
    for (const [index, time] of spaced.entries()) expect(time).toBeCloseTo(1000.75 - (15 - index), 1)
  })

  it('are not before the packet ahead of them', () => {
    expect(
      spaceBursts(
        probe(16, () => 1000),
        995,
      )[0],
    ).toBe(995)
    const after = [{ at: 990, sentAt: sent(63_980) }, ...probe(16, () => 1000)]
    expect(spaceBursts(after).slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 990))
  })

  it('of two tracks, which come one after the other, are spaced together', () => {
    const [even, odd] = [0, 1].map((rest) => probe(16, () => 1000).filter((_, index) => index % 2 === rest))
    const spaced = spaceBursts([...(odd ?? []), ...(even ?? [])])
    expect(spaced[7]).toBe(1000)
    expect(spaced[15]).toBeCloseTo(999, 1)
    expect(spaced[8]).toBeCloseTo(985, 1)
  })

  it('stay as they are without send times', () => {
    const arrivals = probe(5, (index) => 1000 + index / 4).map(({ at }) => ({ at, sentAt: undefined }))
    expect(spaceBursts(arrivals)).toEqual(arrivals.map(({ at }) => at))
  })
})

describe('arrivals', () => {
  it('that a slow path has spaced stay as they are', () => {
    const arrivals = probe(16, (index) => 1000 + index * 4)
    expect(spaceBursts(arrivals)).toEqual(arrivals.map(({ at }) => at))
  })

  it('are never told later than they were seen, nor out of their bursts', () => {
    const steps = fc.array(fc.tuple(fc.double({ min: 0, max: 20, noNaN: true }), fc.nat(30)), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(steps, (all) => {
        let [at, clock] = [5000, 60_000]
        const arrivals = all.map(([gap, pause]) => {
          at += gap
          clock += pause
          return { at, sentAt: sent(clock) }
        })
        const spaced = spaceBursts(arrivals, 4000)
        for (const [index, time] of spaced.entries()) {
          expect(time).toBeLessThanOrEqual(arrivals[index]?.at ?? 0)
          expect(time).toBeGreaterThanOrEqual(spaced[index - 1] ?? 4000)
        }
      }),
    )
  })
})
