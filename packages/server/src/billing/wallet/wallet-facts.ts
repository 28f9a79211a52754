import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type BillingFacts, readBillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { livingMandate, type MandateRow, readMandate } from '../auto-payment/mandate-store.ts'
import { dayOf, lastsUntil, type Outlook, upcomingCharges } from './outlook.ts'
import { readOutlook } from './read-outlook.ts'
import { type BalanceStep, recentSteps, walletRevision } from './wallet-facts-store.ts'

/** Days before the balance or the trial ends from which the owner should act. */
const soon = 14
/** Days of history in the small balance chart. */
const looksBack = 90
/** Months of forecast in it. */
const looksAhead = 3
/** Cache lifetime of a forecast in seconds: price changes and plans don't increment the wallet's revision. */
const freshness = 600
/** Maximum cached forecasts. */
const capacity = 1000

/** Problems with an account's finances, worst first. */
export type WalletTrouble = 'degraded' | 'payment-failed' | 'debt' | 'low-balance' | 'trial-ends'

export interface BalancePoint {
  readonly at: Date
  readonly balance: number
}

export interface WalletFacts {
  readonly balance: number
  readonly lastsUntil: Date | undefined
  /** A mandate tops up the wallet. */
  readonly autoPayment: boolean
  readonly past: readonly BalancePoint[]
  readonly future: readonly BalancePoint[]
  readonly troubles: readonly WalletTrouble[]
}

interface Wallet {
  readonly id: string
  readonly balance: number
}

/**
 * Wallet data for dashboards. Computing the future charges of an account with thousands of users is slow, so
 * they are cached until the wallet changes, for at most some minutes.
 */
export class WalletOverviews {
  readonly #db: Db
  readonly #clock: Clock
  readonly #remembered = new Map<string, { readonly key: string; readonly until: number; outlook: Outlook }>()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Undefined if the wallet no longer exists. */
  async read(wallet: Wallet): Promise<WalletFacts | undefined> {
    const db = this.#db
    const now = this.#clock.now()
    const facts = await readBillingFacts(db, wallet.id)
    if (facts === undefined) return undefined
    const outlook = await this.#outlookOf(wallet, facts, now)
    const mandate = await readMandate(db, wallet.id)
    const autoPayment = livingMandate(mandate)?.status === 'valid' && mandate?.disabledReason === null
    // a free account lasts forever
    const until = facts.discount === 100 ? undefined : lastsUntil(outlook)
    return {
      balance: wallet.balance,
      lastsUntil: until,
      autoPayment,
      past: pastPoints(await recentSteps(db, wallet.id, after(now, -looksBack * day)), now),
      // the forecast excludes top-ups, so the chart would be wrong
      future: autoPayment ? [] : futurePoints(outlook),
      troubles: troublesOf(wallet.balance, facts, { now, until, mandate, autoPayment }),
    }
  }

  async #outlookOf(wallet: Wallet, facts: BillingFacts, now: Date): Promise<Outlook> {
    const revision = await walletRevision(this.#db, wallet.id)
    const trialEnd = facts.trial?.end.getTime() ?? ''
    const key = `${revision} ${facts.discount} ${facts.isDegraded} ${trialEnd}`
    const known = this.#remembered.get(wallet.id)
    if (known?.key === key && known.until > now.getTime()) return { ...known.outlook, ...wallet, now }
    const outlook = await readOutlook(this.#db, now, wallet, facts)
    // deleting first moves the entry to the end, so that the oldest is evicted first
    this.#remembered.delete(wallet.id)
    this.#remembered.set(wallet.id, { key, until: after(now, freshness).getTime(), outlook })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > capacity && oldest !== undefined) this.#remembered.delete(oldest)
    return outlook
  }
}

/** The balance at the end of each day with a change, and the balance before them. */
function pastPoints(steps: readonly BalanceStep[], now: Date): BalancePoint[] {
  const [first] = steps
  if (first === undefined) return []
  const before = first.balance - first.amount
  const days = new Map(
    steps.map(({ createdAt, balance }) => [dayOf(createdAt), { at: createdAt, balance }] as const),
  )
  // a wallet was empty before its very first entry, which isn't history
  const start = before === 0 ? [] : [{ at: after(now, -looksBack * day), balance: before }]
  return [...start, ...days.values()]
}

function futurePoints(outlook: Outlook): BalancePoint[] {
  let balance = outlook.balance - outlook.pending
  const points = new Map<string, BalancePoint>()
  if (outlook.pending > 0) points.set(dayOf(outlook.now), { at: outlook.now, balance })
  for (const { at, cost } of upcomingCharges(outlook, looksAhead)) {
    balance -= cost
    points.set(dayOf(at), { at, balance })
  }
  return [...points.values()]
}

function troublesOf(
  balance: number,
  { discount, isDegraded, trial }: BillingFacts,
  facts: {
    readonly now: Date
    readonly until: Date | undefined
    readonly mandate: MandateRow | undefined
    readonly autoPayment: boolean
  },
): WalletTrouble[] {
  const { now, until, mandate, autoPayment } = facts
  const horizon = after(now, soon * day)
  const isTrial = trial !== null && trial.end > now
  const isUncovered = !autoPayment && discount !== 100
  const has: Record<WalletTrouble, boolean> = {
    degraded: isDegraded,
    // staff who stop it have their reasons, and explain them
    'payment-failed': mandate?.disabledReason != null && mandate.disabledReason !== 'staff',
    debt: balance < 0,
    'low-balance': isUncovered && !isTrial && until !== undefined && until <= horizon,
    'trial-ends': isUncovered && isTrial && trial.end <= horizon && balance <= 0,
  }
  // the keys of an object literal
  return (Object.keys(has) as WalletTrouble[]).filter((name) => has[name])
}
