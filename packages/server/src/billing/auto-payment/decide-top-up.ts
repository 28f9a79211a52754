import { after, day } from '../../platform/clock.ts'

/** Everything that decides whether a wallet is topped up. */
export interface TopUpFacts {
  readonly now: Date
  /** `owner`: the owner has explicitly requested it. `portal`: a periodic check. */
  readonly by: 'owner' | 'portal'
  /**
   * When the owner requested it; a payment since then fulfils the request, even if it is repeated. Null if not
   * requested.
   */
  readonly askedAt: Date | null
  /** Cents, may be negative. */
  readonly balance: number
  /** Cents; the balance must be strictly below. */
  readonly threshold: number
  /** Amount of a top-up in cents. */
  readonly amount: number
  readonly mandate: {
    readonly status: 'valid' | 'pending' | 'invalid'
    readonly isDisabled: boolean
  } | null
  readonly account: {
    readonly isDeleted: boolean
    readonly isSuspended: boolean
    /** It waits for the owner's first payment, which has its own page. */
    readonly isLocked: boolean
    /** Percent. */
    readonly discount: number
  }
  /** A payment is pending that needs no further action by the customer. */
  readonly hasPending: boolean
  /** Payments by the mandate in the last 30 days that succeeded or may still succeed, in any order. */
  readonly recent: readonly { readonly at: Date; readonly amount: number }[]
  /** The owner's ceiling in cents per month; null if none. */
  readonly monthlyCeiling: number | null
}

export type TopUpDecision =
  | { readonly act: 'charge' }
  | {
      readonly act: 'nothing'
      readonly why: 'account' | 'enough' | 'free' | 'disabled' | 'no-mandate' | 'setting-up' | 'answered'
    }
  /** The next check decides again. */
  | { readonly act: 'wait'; readonly why: 'pending' | 'daily-cap' | 'monthly-ceiling' }
  /** Nothing is charged until the owner acts, who is notified. */
  | { readonly act: 'disable'; readonly why: 'invalid' | 'too-small' }

/** Maximum top-ups within 24 hours: by periodic checks, and on repeated requests of the owner. */
export const dailyCap = { portal: 1, owner: 3 } as const

/** Days that the owner's ceiling applies to. */
const ceilingDays = 30

/**
 * Decides whether a wallet is topped up now; reference api-billing-admin §5, §24. Does nothing without a
 * mandate, or while the customer is still setting it up. Waits for pending payments.
 */
export function decideTopUp(facts: TopUpFacts): TopUpDecision {
  const { account, mandate, balance } = facts
  if (account.isDeleted || account.isSuspended || account.isLocked) return nothing('account')
  if (mandate === null) return nothing('no-mandate')
  if (mandate.isDisabled) return nothing('disabled')
  if (balance >= facts.threshold) return nothing('enough')
  // free accounts need no money; a previous debt is the owner's to pay
  if (account.discount >= 100) return nothing('free')
  if (mandate.status === 'pending') return nothing('setting-up')
  if (mandate.status === 'invalid') return { act: 'disable', why: 'invalid' }
  // pending money may cover the debt
  if (facts.hasPending) return { act: 'wait', why: 'pending' }
  if (balance + facts.amount < 0) return { act: 'disable', why: 'too-small' }
  const { askedAt } = facts
  if (askedAt !== null && facts.recent.some(({ at }) => at >= askedAt)) return nothing('answered')
  const since = after(facts.now, -day)
  const today = facts.recent.filter(({ at }) => at > since)
  if (today.length >= dailyCap[facts.by]) return { act: 'wait', why: 'daily-cap' }
  if (isBeyondCeiling(facts)) return { act: 'wait', why: 'monthly-ceiling' }
  return { act: 'charge' }
}

/**
 * The first top-up of a month is always allowed: otherwise an owner with a low ceiling could only fall into
 * debt.
 */
function isBeyondCeiling({ now, monthlyCeiling, recent, amount }: TopUpFacts): boolean {
  if (monthlyCeiling === null) return false
  const since = after(now, -ceilingDays * day)
  const charged = recent.filter(({ at }) => at > since).reduce((sum, payment) => sum + payment.amount, 0)
  return charged > 0 && charged + amount > monthlyCeiling
}

function nothing(why: (TopUpDecision & { act: 'nothing' })['why']): TopUpDecision {
  return { act: 'nothing', why }
}
