import { day } from '../../platform/clock.ts'
import { periodCost, returnAgain } from '../../subscriptions/prices/period-cost.ts'

const days = (count: number) => count * day * 1000

/** One unit of a reference account. */
export interface ReferenceUnit {
  readonly id: string
  readonly sku: string
  readonly cost: number
  readonly fee: number
  readonly months: number
  readonly createdAt: Date
  readonly trialEnd: Date | null
  /** Another unit was removed free of charge shortly before this one was added. */
  readonly isReturnUsed: boolean
  billedUntil: Date
  countedFrom: Date
  deletedAt: Date | null
  /** Total charges so far. */
  charged: number
}

/**
 * Reference implementation of an account: one unit after the other, in memory, deliberately simple. Charging
 * in the database is compared with it.
 */
export class ReferenceAccount {
  readonly units: ReferenceUnit[] = []
  /** Units that may still be charged. */
  #open: ReferenceUnit[] = []
  discount = 0
  isDegraded = false
  balance = 0
  /** Since when the balance is negative. */
  negativeSince: Date | null = null
  /** This account's share of the tenant's profit. */
  profit = 0

  add(
    unit: Omit<ReferenceUnit, 'billedUntil' | 'countedFrom' | 'deletedAt' | 'charged' | 'isReturnUsed'>,
  ): void {
    const added = {
      ...unit,
      billedUntil: unit.createdAt,
      countedFrom: unit.createdAt,
      deletedAt: null,
      charged: 0,
      // later events don't change this
      isReturnUsed: this.units.some((other) => isReturnShortlyBefore(other, unit)),
    }
    this.units.push(added)
    this.#open.push(added)
  }

  /** Active units. */
  get living(): readonly ReferenceUnit[] {
    return this.#open.filter((unit) => unit.deletedAt === null)
  }

  remove(id: string, now: Date): void {
    for (const unit of this.#open) if (unit.id === id) unit.deletedAt = now
  }

  /** Adds an amount, or subtracts it if negative. */
  move(amount: number, now: Date): void {
    this.balance += amount
    if (this.balance >= 0) this.negativeSince = null
    else this.negativeSince ??= now
  }

  /** Charges what is due; with `toTheDay` everything up to now. */
  charge(now: Date, toTheDay = false): void {
    let [cost, fee] = [0, 0]
    for (const unit of this.#open) {
      if (unit.deletedAt !== null && unit.billedUntil >= unit.deletedAt) continue
      const terms = {
        now,
        discount: this.discount,
        trialEnd: unit.trialEnd,
        isDegraded: this.isDegraded,
        toTheDay,
      }
      const charge = periodCost(unit, terms)
      if (charge.billedUntil <= unit.billedUntil) continue
      unit.billedUntil = charge.billedUntil
      unit.countedFrom = charge.countedFrom
      unit.charged += charge.cost
      cost += charge.cost
      fee += charge.fee
    }
    this.#open = this.#open.filter(
      ({ deletedAt, billedUntil }) => deletedAt === null || billedUntil < deletedAt,
    )
    this.profit += cost - fee
    if (cost > 0) this.move(-cost, now)
  }
}

function isReturnShortlyBefore(
  { sku, createdAt, deletedAt }: ReferenceUnit,
  unit: { readonly sku: string; readonly createdAt: Date },
): boolean {
  return (
    sku === unit.sku &&
    deletedAt !== null &&
    deletedAt <= unit.createdAt &&
    unit.createdAt.getTime() - deletedAt.getTime() < days(returnAgain) &&
    deletedAt.getTime() - createdAt.getTime() < days(14)
  )
}
