import { z } from 'zod'
import { type Decision, decide } from '../decision.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import type { Reason } from '../reasons.ts'
import { attempt, chargeOf, countedAttempt } from './attempts.ts'
import { type Bucket, bucket, dayWindow, hourWindow, type Usage, usageIn } from './buckets.ts'
import { type Limits, type RateLimitSettings, rateTiers } from './limits.ts'
import { takeoverFacts, takeoverScore } from './takeover.ts'

const counters = z.object({
  /** Buckets of a minute and an hour, without the attempt that is decided. */
  minutes: z.array(bucket).readonly(),
  hours: z.array(bucket).readonly(),
})

export const rateLimitFacts = z.object({
  /** Seconds since 1970. */
  now: z.number(),
  /** Envelope sender, as it was sent. */
  sender: z.string(),
  attempt,
  /** Attempts that may be the same message. */
  earlier: z.array(countedAttempt).readonly(),
  /** Whose address the sender is; null: nobody's here. */
  user: z
    .object({
      /** The user or the user's domain is suspended or deleted, or there's no account to bill. */
      isSuspended: z.boolean(),
      isDegraded: z.boolean(),
      /** The user or the domain is on the list of those without limits. */
      isExempt: z.boolean(),
      tier: z.enum(rateTiers),
      own: counters,
      account: counters,
      /** When the user was last warned of a limit, by its name in the facts of a decision. Seconds since 1970. */
      warnedAt: z.record(z.string(), z.number()).readonly(),
      /** Until when the account's owner has confirmed unusual sending; null: not. Seconds since 1970. */
      confirmedUntil: z.number().nullable(),
      takeover: takeoverFacts.nullable(),
    })
    .nullable(),
})

export type RateLimitFacts = z.infer<typeof rateLimitFacts>
type RatedUser = NonNullable<RateLimitFacts['user']>

/** One limit with what was sent of it, the attempt included. */
interface Gauge {
  readonly limit: string
  readonly reason: Reason
  readonly used: number
  readonly most: number
  /** Seconds. */
  readonly window: number
}

/**
 * Decides whether a user may send one more message now. Mail above a limit is held, never returned. A retry of a message
 * that was counted before is counted no second time, so it's accepted again only if its place is still within the limits.
 */
export function rateLimit(facts: RateLimitFacts, settings: RateLimitSettings): Decision {
  const { user } = facts
  const charge = chargeOf(facts.attempt, facts.earlier, facts.now)
  const answer = (reason: Reason, more: Readonly<Record<string, string | number | readonly string[]>> = {}) =>
    decide(reason, { ...facts, charge: { ...charge }, ...more })

  if (senderAddress(facts.sender) === undefined) return answer('rate.invalid-sender')
  if (user === null) return answer('rate.external-sender')
  if (user.isSuspended) return answer('rate.suspended')
  if (user.isDegraded) return answer('rate.degraded')
  if (user.isExempt) return answer('rate.exempt')

  const { score, signs } = suspicion(user, facts.now)
  if (score >= settings.takeover.holdAt) return answer('rate.suspected-takeover', { score, signs })
  const gauges = gaugesOf(user, facts.now, charge, settings)
  const exceeded = gauges.find(({ used, most }) => used > most)
  if (exceeded !== undefined) return answer(exceeded.reason, factsOf(exceeded))
  if (score >= settings.takeover.slowAt) {
    return answer('rate.slowed', { score, signs, delay: settings.takeover.delay })
  }
  const near = gauges.find((gauge) => isWarning(gauge, user, facts.now, settings.warnAt))
  return near === undefined ? answer('rate.within-limits') : answer('rate.near-limit', factsOf(near))
}

function suspicion(user: RatedUser, now: number) {
  const isConfirmed = user.confirmedUntil !== null && user.confirmedUntil > now
  return user.takeover === null || isConfirmed ? { score: 0, signs: [] } : takeoverScore(user.takeover)
}

function gaugesOf(user: RatedUser, now: number, charge: Usage, settings: RateLimitSettings): Gauge[] {
  return [
    ...gaugesFor('account', user.account, settings.account[user.tier], now, charge),
    ...gaugesFor('user', user.own, settings.user[user.tier], now, charge),
  ]
}

function gaugesFor(
  scope: 'account' | 'user',
  { minutes, hours }: { readonly minutes: readonly Bucket[]; readonly hours: readonly Bucket[] },
  limits: Limits,
  now: number,
  charge: Usage,
): Gauge[] {
  const spans = [
    ['hour', usageIn(minutes, hourWindow, now), limits.hour, hourWindow.length],
    ['day', usageIn(hours, dayWindow, now), limits.day, dayWindow.length],
  ] as const
  return spans.flatMap(([span, usage, most, window]) =>
    (['messages', 'recipients'] as const).map((kind) => ({
      limit: `${scope}-${kind}-per-${span}`,
      reason: `rate.${kind}-per-${span}` as const,
      used: usage[kind] + charge[kind],
      most: most[kind],
      window,
    })),
  )
}

/** A warning is due once in the window of its limit. */
function isWarning(
  { limit, used, most, window }: Gauge,
  { warnedAt }: RatedUser,
  now: number,
  warnAt: number,
): boolean {
  const last = warnedAt[limit]
  const isWarned = last !== undefined && Math.abs(now - last) < window
  return !isWarned && used >= most * warnAt
}

function factsOf({ limit, used, most }: Gauge) {
  return { limit, used, most }
}
