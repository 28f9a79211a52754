import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionOf } from '../reasons.ts'
import { type Attempt, type CountedAttempt, chargeOf, hashRecipients } from './attempts.ts'
import { addUsage, type Bucket, dayWindow, hourWindow, usageIn } from './buckets.ts'
import { defaultRateLimits, rateTier } from './limits.ts'
import { type RateLimitFacts, rateLimit, rateLimitFacts } from './rate-limit.ts'
import { type TakeoverFacts, takeoverScore } from './takeover.ts'

const now = 1_795_694_400
const noCounters = { minutes: [], hours: [] }
const sent = (messages: number, recipients = messages, ago = 600) => {
  const start = now - ago
  return {
    minutes: [{ start: start - (start % 60), messages, recipients }],
    hours: [{ start: start - (start % 3600), messages, recipients }],
  }
}
const calm: TakeoverFacts = {
  hour: { messages: 1, recipients: 1 },
  lastMinuteMessages: 1,
  normal: { days: 30, busiestHourRecipients: 40, busiestMinuteMessages: 5 },
  newRecipients: 0,
  rejectedRecipients: 0,
  isNewCountry: false,
  isNewNetwork: false,
}
const warned = (at: number) => ({
  'user-messages-per-hour': at,
  'user-messages-per-day': at,
  'user-recipients-per-day': at,
})
const jane: NonNullable<RateLimitFacts['user']> = {
  isSuspended: false,
  isDegraded: false,
  isExempt: false,
  tier: 'unpaid',
  own: noCounters,
  account: noCounters,
  warnedAt: {},
  confirmedUntil: null,
  takeover: calm,
}
const fresh: Attempt = { queueId: null, messageId: null, ...hashRecipients(['ned@else.test']) }
const facts = (user: Partial<typeof jane> | null, more: Partial<RateLimitFacts> = {}): RateLimitFacts => ({
  now,
  sender: 'jane@acme.test',
  attempt: fresh,
  earlier: [],
  user: user === null ? null : { ...jane, ...user },
  ...more,
})
const decision = (...given: Parameters<typeof facts>) => rateLimit(facts(...given), defaultRateLimits)

describe('a message', () => {
  test.each([
    ['of a quiet user', {}, 'rate.within-limits'],
    ['of a suspended user', { isSuspended: true, isExempt: true }, 'rate.suspended'],
    ['of a degraded user', { isDegraded: true }, 'rate.degraded'],
    ['of a user without limits', { isExempt: true, own: sent(999) }, 'rate.exempt'],
    ['of somebody else', null, 'rate.external-sender'],
    ['just below the limit', { own: sent(9), warnedAt: warned(now - 60) }, 'rate.within-limits'],
    ['above the messages of an hour', { own: sent(10) }, 'rate.messages-per-hour'],
    ['above the recipients of an hour', { own: sent(2, 100) }, 'rate.recipients-per-hour'],
    ['above the messages of a day', { own: sent(50, 50, 7200) }, 'rate.messages-per-day'],
    ['above the recipients of a day', { own: sent(2, 300, 7200) }, 'rate.recipients-per-day'],
    ['above the limit of the account', { account: sent(10) }, 'rate.messages-per-hour'],
    ['an hour later', { own: sent(10, 10, 3700), warnedAt: warned(now - 60) }, 'rate.within-limits'],
    ['a day later', { own: sent(50, 50, 93_600) }, 'rate.within-limits'],
    [
      'of a paying account',
      { tier: 'paying' as const, own: sent(100), account: sent(100) },
      'rate.within-limits',
    ],
    [
      'above the limit of a paying account',
      { tier: 'paying' as const, account: sent(1500) },
      'rate.messages-per-hour',
    ],
    ['near the limit', { own: sent(7) }, 'rate.near-limit'],
    [
      'near the limit, warned in this window',
      { own: sent(7), warnedAt: warned(now - 3000) },
      'rate.within-limits',
    ],
    [
      'near the limit, warned in the last window',
      { own: sent(7), warnedAt: warned(now - 3600) },
      'rate.near-limit',
    ],
  ] as const)('%s is answered with the right reason', (_, user, reason) => {
    expect(decision(user).reason).toBe(reason)
  })

  test('is warned of the limit of a day although it was of that of an hour', () => {
    const used = decision({ own: sent(40, 40, 7200), warnedAt: { 'user-messages-per-hour': now - 60 } })
    expect(used).toMatchObject({ reason: 'rate.near-limit', facts: { limit: 'user-messages-per-day' } })
  })

  test('of a sender that is no address is held', () => {
    expect(decision({}, { sender: 'jane' }).reason).toBe('rate.invalid-sender')
  })

  test('names the limit that it reaches', () => {
    expect(decision({ account: sent(10) }).facts).toMatchObject({
      limit: 'account-messages-per-hour',
      used: 11,
      most: 10,
    })
  })

  test('to 10,000 recipients counts them all', () => {
    const list = Array.from({ length: 10_000 }, (_, at) => `user${at}@else.test`)
    const attempt = { ...fresh, ...hashRecipients(list) }
    expect(decision({ tier: 'paying' }, { attempt }).facts).toMatchObject({
      limit: 'account-recipients-per-hour',
      used: 10_000,
    })
  })

  test('is decided alike when it is replayed, and otherwise with other limits', () => {
    const first = decision({ own: sent(10), warnedAt: warned(now - 60) })
    const kept = rateLimitFacts.parse(JSON.parse(JSON.stringify(first.facts)))
    expect(rateLimit(kept, defaultRateLimits)).toEqual(first)
    const wide = { ...defaultRateLimits.user.paying }
    const limits = { ...defaultRateLimits, user: { ...defaultRateLimits.user, unpaid: wide } }
    expect(rateLimit(kept, limits).reason).toBe('rate.within-limits')
  })
})

test.each([
  ['never paid', { hasPaid: false, isFree: false }, 'unpaid'],
  ['paid', { hasPaid: true, isFree: false }, 'paying'],
  ['is free of charge', { hasPaid: false, isFree: true }, 'paying'],
] as const)('an account that %s has its own limits', (_, standing, tier) => {
  expect(rateTier(standing)).toBe(tier)
})

describe('an attempt', () => {
  const before = (more: Partial<CountedAttempt>): CountedAttempt => ({
    ...fresh,
    at: now - 300,
    wasAccepted: false,
    ...more,
  })
  const known = { ...fresh, queueId: 'Q1', messageId: '<1@acme.test>' }
  const one = { messages: 1, recipients: 1 }
  const free = { messages: 0, recipients: 0 }

  test.each([
    ['that is the first', fresh, [], one],
    ['after one that was not accepted', fresh, [before({})], free],
    ['to a list that was accepted', fresh, [before({ wasAccepted: true })], one],
    ['with the same queue id', known, [before({ ...known, wasAccepted: true })], free],
    ['with the same Message-ID, not accepted before', { ...known, queueId: 'Q2' }, [before(known)], free],
    [
      'with the same Message-ID, accepted before',
      { ...known, queueId: 'Q2' },
      [before({ ...known, wasAccepted: true })],
      one,
    ],
    [
      'with another Message-ID to the same list',
      { ...known, queueId: null, messageId: '<2@acme.test>' },
      [before(known)],
      one,
    ],
    ['weeks later', fresh, [before({ at: now - 30 * 86_400 })], one],
  ] as const)('%s is counted rightly', (_, attempt, earlier, charge) => {
    expect(chargeOf(attempt, earlier, now)).toEqual(charge)
  })

  test('of a message with fewer recipients left is free, with more it is not', () => {
    const earlier = [before({ ...known, ...hashRecipients(['a@x.test', 'b@x.test', 'c@x.test']) })]
    const fewer = { ...known, queueId: null, ...hashRecipients(['a@x.test']) }
    const more = {
      ...known,
      queueId: null,
      ...hashRecipients(['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'e@x.test']),
    }
    expect(chargeOf(fewer, earlier, now)).toEqual(free)
    expect(chargeOf(more, earlier, now)).toEqual({ messages: 0, recipients: 2 })
  })

  test('has the same list whatever the order and the letters', () => {
    expect(hashRecipients(['B@x.test', 'a@X.test', 'b@x.test'])).toEqual(
      hashRecipients(['a@x.test', 'b@x.test']),
    )
  })

  test('over and over to one list reaches the limit', () => {
    let [own, earlier]: [typeof noCounters | ReturnType<typeof sent>, CountedAttempt[]] = [noCounters, []]
    const reasons: string[] = []
    for (let count = 0; count < 12; count++) {
      const found = decision({ own, warnedAt: warned(now) }, { earlier })
      reasons.push(found.reason)
      const charge = chargeOf(fresh, earlier, now)
      own = {
        minutes: addUsage(own.minutes, hourWindow, now, charge),
        hours: addUsage(own.hours, dayWindow, now, charge),
      }
      earlier = [...earlier, before({ at: now, wasAccepted: actionOf(found.reason) === 'accept' })]
    }
    expect(reasons.slice(0, 10)).toEqual(Array(10).fill('rate.within-limits'))
    expect(reasons.slice(10)).toEqual(Array(2).fill('rate.messages-per-hour'))
  })
})

describe('a window', () => {
  const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 * 3600 }), fc.integer({ min: 1, max: 50 })), {
    maxLength: 60,
  })

  test('never counts less than what was sent in it, and no more than one bucket too much', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 3600 }), (unsorted, wait) => {
        const events = unsorted.toSorted(([one], [other]) => one - other)
        let buckets: Bucket[] = []
        for (const [offset, recipients] of events) {
          buckets = addUsage(buckets, hourWindow, now + offset, { messages: 1, recipients })
        }
        const end = now + (events.at(-1)?.[0] ?? 0) + wait
        const within = (length: number) =>
          events
            .filter(([offset]) => now + offset > end - length)
            .reduce((sum, [, recipients]) => sum + recipients, 0)
        const { recipients } = usageIn(buckets, hourWindow, end)
        expect(recipients).toBeGreaterThanOrEqual(within(hourWindow.length))
        expect(recipients).toBeLessThanOrEqual(within(hourWindow.length + hourWindow.width))
        expect(buckets.length).toBeLessThanOrEqual(122)
      }),
    )
  })

  test('survives a clock that jumps', () => {
    const buckets = addUsage([], hourWindow, now, { messages: 3, recipients: 3 })
    expect(usageIn(buckets, hourWindow, now - 1800).messages).toBe(3)
    expect(usageIn(buckets, hourWindow, now - 400 * 86_400).messages).toBe(0)
    expect(addUsage(buckets, hourWindow, now - 400 * 86_400, { messages: 1, recipients: 1 }).length).toBe(1)
  })
})

describe('a suspected take-over', () => {
  const stolen: TakeoverFacts = {
    ...calm,
    hour: { messages: 200, recipients: 400 },
    lastMinuteMessages: 40,
    newRecipients: 390,
    rejectedRecipients: 90,
    isNewCountry: true,
    isNewNetwork: true,
  }

  test.each([
    ['ordinary sending', {}, 0, 0],
    ['a stolen account', stolen, 90, 100],
    ['travelling', { isNewCountry: true, isNewNetwork: true }, 1, 39],
    ['a busy day', { hour: { messages: 60, recipients: 80 }, lastMinuteMessages: 6 }, 1, 39],
    [
      'a newsletter to known people',
      { hour: { messages: 400, recipients: 400 }, lastMinuteMessages: 60 },
      40,
      59,
    ],
    [
      'a newsletter as every month',
      {
        hour: { messages: 400, recipients: 400 },
        lastMinuteMessages: 60,
        normal: { days: 8, busiestHourRecipients: 400, busiestMinuteMessages: 60 },
      },
      0,
      0,
    ],
    ['a stolen account sending slowly', { ...stolen, lastMinuteMessages: 1 }, 60, 100],
    [
      'a stolen account from the same country',
      { ...stolen, isNewCountry: false, isNewNetwork: false },
      60,
      100,
    ],
    [
      'a new user writing to new people',
      {
        hour: { messages: 5, recipients: 5 },
        newRecipients: 5,
        normal: { days: 0, busiestHourRecipients: 0, busiestMinuteMessages: 0 },
        isNewCountry: true,
      },
      0,
      0,
    ],
  ] as const)('scores %s', (_, more, least, most) => {
    const { score } = takeoverScore({ ...calm, ...more })
    expect(score).toBeGreaterThanOrEqual(least)
    expect(score).toBeLessThanOrEqual(most)
  })

  test('is held until the owner confirms it, and slowed when it is less clear', () => {
    const paying = { tier: 'paying' as const }
    expect(decision({ ...paying, takeover: stolen })).toMatchObject({
      reason: 'rate.suspected-takeover',
      facts: {
        signs: ['volume', 'new-recipients', 'rejected-recipients', 'new-country', 'new-network', 'speed'],
      },
    })
    expect(decision({ ...paying, takeover: stolen, confirmedUntil: now + 1 }).reason).toBe(
      'rate.within-limits',
    )
    expect(decision({ ...paying, takeover: stolen, confirmedUntil: now }).reason).toBe(
      'rate.suspected-takeover',
    )
    const unclear = { ...calm, hour: { messages: 400, recipients: 400 }, lastMinuteMessages: 60 }
    expect(decision({ ...paying, takeover: unclear })).toMatchObject({
      reason: 'rate.slowed',
      facts: { delay: 10 },
    })
  })

  test('has a score from 0 to 100 that no sign raises to the hold alone, and that grows with each sign', () => {
    const count = fc.nat(5000)
    const any = fc.record({
      hour: fc.record({ messages: count, recipients: count }),
      lastMinuteMessages: count,
      normal: fc.record({ days: fc.nat(30), busiestHourRecipients: count, busiestMinuteMessages: count }),
      newRecipients: count,
      rejectedRecipients: count,
      isNewCountry: fc.boolean(),
      isNewNetwork: fc.boolean(),
    })
    fc.assert(
      fc.property(any, (given) => {
        const { score, signs } = takeoverScore(given)
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
        if (signs.length < 2) expect(score).toBeLessThan(defaultRateLimits.takeover.slowAt)
        for (const worse of [
          { ...given, isNewCountry: true },
          { ...given, rejectedRecipients: given.rejectedRecipients + 50 },
        ]) {
          expect(takeoverScore(worse).score).toBeGreaterThanOrEqual(score)
        }
      }),
    )
  })
})

test('mail of own users is held, never refused or returned', () => {
  const amount = fc.nat(2000)
  fc.assert(
    fc.property(
      amount,
      amount,
      fc.constantFrom('unpaid' as const, 'paying' as const),
      (messages, recipients, tier) => {
        const { reason } = decision({
          tier,
          own: sent(messages, recipients),
          account: sent(messages, recipients),
        })
        expect(['accept', 'hold']).toContain(actionOf(reason))
      },
    ),
  )
})
