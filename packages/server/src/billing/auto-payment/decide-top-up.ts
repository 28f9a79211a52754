import { after, day } from '../../platform/clock.ts'

/** Everything that decides whether a wallet is topped up. */
export interface TopUpFacts {
  readonly now: Date
  /** `owner`: somebody has just asked for it, knowing what it does. `portal`: the portal by itself. */
  readonly by: 'owner' | 'portal'
  /** When the owner asked: a payment since then is the answer, whoever calls again. Null: nobody did. */
  readonly askedAt: Date | null
  /** Cents, may be negative. */
  readonly balance: number
  /** Cents; a top-up is made strictly below. */
  readonly threshold: number
  /** Cents that it brings. */
  readonly amount: number
  readonly mandate: {
    readonly status: 'valid' | 'pending' | 'invalid'
    readonly isDisabled: boolean
  } | null
  readonly account: {
    readonly isDeleted: boolean
    readonly isSuspended: boolean
    /** It waits for the first payment of its owner, who is asked for it on a page of its own. */
    readonly isLocked: boolean
    /** Percent. */
    readonly discount: number
  }
  /** A payment is on its way that brings money without the customer doing anything more. */
  readonly hasPending: boolean
  /** Payments by the mandate in the last 30 days that brought money or still may, whatever order. */
  readonly recent: readonly { readonly at: Date; readonly amount: number }[]
  /** Cents a month that the owner has set as the most; null: none. */
  readonly monthlyCeiling: number | null
}

export type TopUpDecision =
  | { readonly act: 'charge' }
  | {
      readonly act: 'nothing'
      readonly why: 'account' | 'enough' | 'free' | 'disabled' | 'no-mandate' | 'setting-up' | 'answered'
    }
  /** The next look decides again. */
  | { readonly act: 'wait'; readonly why: 'pending' | 'daily-cap' | 'monthly-ceiling' }
  /** Nothing is charged any more until the owner does something about it, and he is told so. */
  | { readonly act: 'disable'; readonly why: 'invalid' | 'too-small' }

/** Top-ups within 24 hours that the portal makes by itself, and those that it makes when the owner asks again. */
export const dailyCap = { portal: 1, owner: 3 } as const

/** Days over which the owner's ceiling counts. */
const ceilingDays = 30

/**
 * Whether a wallet is topped up now; reference api-billing-admin §5, §24. A wallet without mandate is left as it is, and
 * so is one whose mandate the customer is still setting up. What is on its way is waited for.
 */
export function decideTopUp(facts: TopUpFacts): TopUpDecision {
  const { account, mandate, balance } = facts
  if (account.isDeleted || account.isSuspended || account.isLocked) return nothing('account')
  if (mandate === null) return nothing('no-mandate')
  if (mandate.isDisabled) return nothing('disabled')
  if (balance >= facts.threshold) return nothing('enough')
  // what costs nothing needs no money; a debt of before is for its owner to pay
  if (account.discount >= 100) return nothing('free')
  if (mandate.status === 'pending') return nothing('setting-up')
  if (mandate.status === 'invalid') return { act: 'disable', why: 'invalid' }
  // money that is on its way may be what the debt lacks
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

/** The first top-up of a month is always made: without it an owner with a low ceiling could only fall into debt. */
function isBeyondCeiling({ now, monthlyCeiling, recent, amount }: TopUpFacts): boolean {
  if (monthlyCeiling === null) return false
  const since = after(now, -ceilingDays * day)
  const charged = recent.filter(({ at }) => at > since).reduce((sum, payment) => sum + payment.amount, 0)
  return charged > 0 && charged + amount > monthlyCeiling
}

function nothing(why: (TopUpDecision & { act: 'nothing' })['why']): TopUpDecision {
  return { act: 'nothing', why }
}
