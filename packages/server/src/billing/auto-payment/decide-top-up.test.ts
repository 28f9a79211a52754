import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { after, day, hour } from '../../platform/clock.ts'
import { dailyCap, decideTopUp, type TopUpFacts } from './decide-top-up.ts'

const now = new Date('2026-03-10T12:00:00Z')
const account = { isDeleted: false, isSuspended: false, isLocked: false, discount: 0 }
const due: TopUpFacts = {
  now,
  by: 'portal',
  askedAt: null,
  balance: 499,
  threshold: 500,
  amount: 1000,
  mandate: { status: 'valid', isDisabled: false },
  account,
  hasPending: false,
  recent: [],
  monthlyCeiling: null,
}
const paid = (hoursAgo: number, amount = 1000) => ({ at: after(now, -hoursAgo * hour), amount })
const mandate = (status: 'valid' | 'pending' | 'invalid', isDisabled = false) => ({
  mandate: { status, isDisabled },
})

describe('a wallet', () => {
  test.each<[string, Partial<TopUpFacts>, string]>([
    ['just below the threshold is charged', {}, 'charge'],
    ['at the threshold is not', { balance: 500 }, 'nothing enough'],
    ['above the threshold is not', { balance: 501 }, 'nothing enough'],
    ['without credit and threshold is not', { balance: 0, threshold: 0 }, 'nothing enough'],
    ['below zero is charged', { balance: -1, threshold: 0 }, 'charge'],
    ['whose debt the amount pays exactly is charged', { balance: -1000 }, 'charge'],
    ['whose debt the amount does not pay is disabled', { balance: -1001 }, 'disable too-small'],
    ['without a mandate stays as it is', { mandate: null }, 'nothing no-mandate'],
    [
      'without a mandate stays as it is, in debt too',
      { mandate: null, balance: -5000 },
      'nothing no-mandate',
    ],
    ['that is disabled stays so', mandate('valid', true), 'nothing disabled'],
    [
      'that is disabled is not disabled again',
      { ...mandate('invalid', true), balance: -5000 },
      'nothing disabled',
    ],
    ['whose mandate is being set up is left alone', mandate('pending'), 'nothing setting-up'],
    [
      'whose mandate is being set up is not disabled for its debt',
      { ...mandate('pending'), balance: -5000 },
      'nothing setting-up',
    ],
    ['whose mandate is worth nothing is disabled', mandate('invalid'), 'disable invalid'],
    [
      'with enough money keeps a mandate that is worth nothing',
      { ...mandate('invalid'), balance: 500 },
      'nothing enough',
    ],
    ['waits for what is on its way', { hasPending: true }, 'wait pending'],
    [
      'waits for what is on its way before it finds the amount too small',
      { hasPending: true, balance: -1001 },
      'wait pending',
    ],
    ['of a free account is not charged', { account: { ...account, discount: 100 } }, 'nothing free'],
    ['of an almost free account is', { account: { ...account, discount: 99 } }, 'charge'],
    ['of a deleted account is not', { account: { ...account, isDeleted: true } }, 'nothing account'],
    ['of a suspended account is not', { account: { ...account, isSuspended: true } }, 'nothing account'],
    ['of a locked account is not', { account: { ...account, isLocked: true } }, 'nothing account'],
    ['is charged once a day', { recent: [paid(23)] }, 'wait daily-cap'],
    ['is charged again the day after', { recent: [paid(24)] }, 'charge'],
    ['is charged again when its owner asks', { recent: [paid(1)], by: 'owner' }, 'charge'],
    [
      'is charged when its owner asks after a payment',
      { recent: [paid(2)], by: 'owner', askedAt: after(now, -hour) },
      'charge',
    ],
    [
      'is not charged again for the same asking',
      { recent: [paid(1)], by: 'owner', askedAt: after(now, -hour) },
      'nothing answered',
    ],
    [
      'is not charged a fourth time, even then',
      { recent: [paid(1), paid(2), paid(3)], by: 'owner' },
      'wait daily-cap',
    ],
    ['is charged once whatever the ceiling', { monthlyCeiling: 1 }, 'charge'],
    [
      'is not charged beyond the ceiling',
      { monthlyCeiling: 1999, recent: [paid(48)] },
      'wait monthly-ceiling',
    ],
    ['is charged up to the ceiling', { monthlyCeiling: 2000, recent: [paid(48)] }, 'charge'],
    ['is charged again a month later', { monthlyCeiling: 1000, recent: [paid(30 * 24)] }, 'charge'],
  ])('%s', (_name, facts, decision) => {
    const made = decideTopUp({ ...due, ...facts })
    expect('why' in made ? `${made.act} ${made.why}` : made.act).toBe(decision)
  })
})

const anyFacts: fc.Arbitrary<TopUpFacts> = fc.record({
  now: fc.constant(now),
  by: fc.constantFrom('owner', 'portal'),
  askedAt: fc.constantFrom(null, now, after(now, -day)),
  balance: fc.integer({ min: -3000, max: 3000 }),
  threshold: fc.integer({ min: 0, max: 3000 }),
  amount: fc.integer({ min: 100, max: 3000 }),
  mandate: fc.option(
    fc.record({ status: fc.constantFrom('valid', 'pending', 'invalid'), isDisabled: fc.boolean() }),
  ),
  account: fc.record({
    isDeleted: fc.boolean(),
    isSuspended: fc.boolean(),
    isLocked: fc.boolean(),
    discount: fc.constantFrom(0, 50, 100),
  }),
  hasPending: fc.boolean(),
  recent: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 60 }).map((days) => after(now, -days * day)),
      amount: fc.integer({ min: 100, max: 3000 }),
    }),
  ),
  monthlyCeiling: fc.option(fc.integer({ min: 0, max: 5000 })),
})

describe('for any facts,', () => {
  test('money is charged only with a valid, enabled mandate, below the threshold, and covers the debt', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        if (decideTopUp(facts).act !== 'charge') return
        expect(facts.mandate).toEqual({ status: 'valid', isDisabled: false })
        expect(facts.balance).toBeLessThan(facts.threshold)
        expect(facts.balance + facts.amount).toBeGreaterThanOrEqual(0)
        expect(facts.hasPending).toBe(false)
        const { isDeleted, isSuspended, isLocked, discount } = facts.account
        expect([isDeleted, isSuspended, isLocked, discount === 100]).toEqual([false, false, false, false])
      }),
      { numRuns: 2000 },
    )
  })

  test('a mandate is disabled only if it exists, was enabled, and would have been charged', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        if (decideTopUp(facts).act !== 'disable') return
        expect(facts.mandate?.isDisabled).toBe(false)
        expect(facts.mandate?.status).not.toBe('pending')
        expect(facts.balance).toBeLessThan(facts.threshold)
      }),
      { numRuns: 2000 },
    )
  })

  test('there are no more top-ups per day than the cap, however often it is checked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 100 }),
        fc.constantFrom('owner', 'portal'),
        (steps, by) => {
          const recent: { at: Date; amount: number }[] = []
          let at = now
          for (const hours of steps) {
            at = after(at, hours * hour)
            if (decideTopUp({ ...due, now: at, by, recent }).act === 'charge')
              recent.push({ at, amount: 1000 })
            const day24 = recent.filter((payment) => payment.at > after(at, -day))
            expect(day24.length).toBeLessThanOrEqual(dailyCap[by])
          }
        },
      ),
    )
  })
})
