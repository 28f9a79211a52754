import type { Usage } from './buckets.ts'

/** The most that may be sent in a sliding hour and day. */
export interface Limits {
  readonly hour: Usage
  readonly day: Usage
}

export const rateTiers = ['unpaid', 'paying'] as const
/** Accounts that never paid are limited like strangers. */
export type RateTier = (typeof rateTiers)[number]

export interface RateLimitSettings {
  readonly user: Readonly<Record<RateTier, Limits>>
  readonly account: Readonly<Record<RateTier, Limits>>
  /** Share of a limit from which the sender is warned. */
  readonly warnAt: number
  /** Scores of a suspected take-over from which mail is slowed and held, and the delay in seconds. */
  readonly takeover: { readonly slowAt: number; readonly holdAt: number; readonly delay: number }
}

const unpaid: Limits = {
  hour: { messages: 10, recipients: 100 },
  day: { messages: 50, recipients: 300 },
}

export const defaultRateLimits: RateLimitSettings = {
  user: {
    unpaid,
    paying: { hour: { messages: 300, recipients: 1000 }, day: { messages: 1500, recipients: 5000 } },
  },
  account: {
    unpaid,
    paying: { hour: { messages: 1500, recipients: 5000 }, day: { messages: 10_000, recipients: 30_000 } },
  },
  warnAt: 0.8,
  takeover: { slowAt: 40, holdAt: 60, delay: 10 },
}

export interface AccountStanding {
  /** A payment succeeded and wasn't taken back. Awards, vouchers and credit don't count. */
  readonly hasPaid: boolean
  /** All of the account's costs are discounted: staff gave it away on purpose. */
  readonly isFree: boolean
}

export function rateTier({ hasPaid, isFree }: AccountStanding): RateTier {
  return hasPaid || isFree ? 'paying' : 'unpaid'
}
