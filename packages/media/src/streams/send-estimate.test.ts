import { describe, expect, it } from 'vitest'
import { eachRtcp } from '../packets/rtcp.ts'
import { ArrivalLog } from '../packets/transport-feedback.ts'
import { ResendBudget } from './resend-budget.ts'
import { SendEstimate } from './send-estimate.ts'

/** A receiver behind a link of so many bit/s that loses every so manieth packet and whose clock is another one. */
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
        // twice, as a compound packet that is about two lines comes
        estimate.feedback(packet, start, end, now)
        estimate.feedback(packet, start, end, now)
      })
  }
  estimate.settleLoss()
  return estimate
}

describe('the estimate of a way', () => {
  it('sees what arrives, and no queue, on a free link', () => {
    const estimate = simulate({ rate: 800_000, capacity: 10_000_000 })
    expect(estimate.acknowledged).toBeGreaterThan(720_000)
    expect(estimate.acknowledged).toBeLessThan(900_000)
    expect(estimate.queue).toBeLessThan(5)
    expect(estimate.loss).toBe(0)
  })

  it('sees the queue of a full one and how much it carries', () => {
    const estimate = simulate({ rate: 800_000, capacity: 400_000 })
    expect(estimate.acknowledged).toBeGreaterThan(360_000)
    expect(estimate.acknowledged).toBeLessThan(450_000)
    expect(estimate.queue).toBeGreaterThan(1000)
  })

  it('sees losses', () => {
    const estimate = simulate({ rate: 800_000, capacity: 10_000_000, loseEvery: 10 })
    expect(estimate.loss).toBeCloseTo(0.1, 1)
  })
})

describe('the budget for what is sent again', () => {
  it('is large on a free way and small on a full one', () => {
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

  it('sends one packet again at most every 30 ms', () => {
    const budget = new ResendBudget(new SendEstimate(), 0)
    expect([0, 10, 29, 31, 40].map((now) => budget.isDue(7, now))).toEqual([true, false, false, true, false])
    expect(budget.isDue(8, 40)).toBe(true)
  })
})
