import { describe, expect, it } from 'vitest'
import { eachRtcp } from '../packets/rtcp.ts'
import { ArrivalLog } from '../packets/transport-feedback.ts'
import { ResendBudget } from './resend-budget.ts'
import { SendEstimate } from './send-estimate.ts'

/**
 * Simulates a receiver with its own clock, behind a link with limited bandwidth (bit/s) and periodic loss.
 */
function simulate(options: {
  readonly rate: number
  readonly capacity: number
  readonly loseEvery?: number
}) {
  const estimate = new SendEstimate()
  const log = new ArrivalLog(1)
  const interval = (1000 * 8 * 1000) / options.rate
  let free = 0
  let sent = 0
  for (let now = 0, tell = 100; now < 5000; now += interval) {
    const number = estimate.next(1000, now)
    free = Math.max(free, now) + 8_000_000 / options.capacity
    if (options.loseEvery === undefined || ++sent % options.loseEvery !== 0)
      log.add(number, free + 777_000, 2)
    if (now < tell) continue
    tell += 100
    const packet = log.feedback()
    if (packet !== undefined)
      eachRtcp(packet, (_, __, start, end) => {
        // twice, like a compound packet that concerns two lines
        estimate.feedback(packet, start, end, now)
        estimate.feedback(packet, start, end, now)
      })
  }
  estimate.settleLoss()
  return estimate
}

describe('the bandwidth estimate', () => {
  it('measures throughput and no queue on an uncongested link', () => {
    const estimate = simulate({ rate: 800_000, capacity: 10_000_000 })
    expect(estimate.acknowledged).toBeGreaterThan(720_000)
    expect(estimate.acknowledged).toBeLessThan(900_000)
    expect(estimate.queue).toBeLessThan(5)
    expect(estimate.loss).toBe(0)
  })

  it('measures the queue and capacity of a congested link', () => {
    const estimate = simulate({ rate: 800_000, capacity: 400_000 })
    expect(estimate.acknowledged).toBeGreaterThan(360_000)
    expect(estimate.acknowledged).toBeLessThan(450_000)
    expect(estimate.queue).toBeGreaterThan(1000)
  })

  it('measures losses', () => {
    const estimate = simulate({ rate: 800_000, capacity: 10_000_000, loseEvery: 10 })
    expect(estimate.loss).toBeCloseTo(0.1, 1)
  })
})

describe('the retransmission budget', () => {
  it('is large on an uncongested path and small on a congested one', () => {
    const count = (queue: number) => {
      const estimate = new SendEstimate()
      estimate.queue = queue
      estimate.acknowledged = 800_000
      const budget = new ResendBudget(estimate, 0)
      let sent = 0
      for (let now = 0; now < 2000; now += 5) if (budget.take(1000, now)) sent++
      return sent
    }
    expect(count(0)).toBeGreaterThan(150)
    expect(count(200)).toBeLessThan(60)
  })

  it('retransmits a packet at most every 30 ms', () => {
    const budget = new ResendBudget(new SendEstimate(), 0)
    expect([0, 10, 29, 31, 40].map((now) => budget.isDue(7, now))).toEqual([true, false, false, true, false])
    expect(budget.isDue(8, 40)).toBe(true)
  })
})
