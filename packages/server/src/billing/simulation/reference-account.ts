import { day } from '../../platform/clock.ts'
import { periodCost, returnAgain } from '../../subscriptions/period-cost.ts'

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
  billedUntil: Date
  deletedAt: Date | null
  /** What was charged so far. */
  charged: number
}

/** What one charge came to; cents. */
export interface ReferenceCharge {
  readonly cost: number
  readonly fee: number
}

/**
 * An account as it should be: one unit after the other, in memory, nothing clever. Charging in the database is held
 * against it.
 */
export class ReferenceAccount {
  readonly units: ReferenceUnit[] = []
  discount = 0
  isDegraded = false
  balance = 0
  /** Of the tenant's wallet, as far as this account goes. */
  profit = 0
  charges = 0

  add(unit: Omit<ReferenceUnit, 'billedUntil' | 'deletedAt' | 'charged'>): void {
    this.units.push({ ...unit, billedUntil: unit.createdAt, deletedAt: null, charged: 0 })
  }

  /** Units that are there. */
  get living(): readonly ReferenceUnit[] {
    return this.units.filter((unit) => unit.deletedAt === null)
  }

  remove(id: string, now: Date): void {
    for (const unit of this.units) if (unit.id === id) unit.deletedAt = now
  }

  /** Charges what is due; with `toTheDay` everything up to this moment. */
  charge(now: Date, toTheDay = false): ReferenceCharge {
    let [cost, fee] = [0, 0]
    for (const unit of this.units) {
      if (unit.deletedAt !== null && unit.billedUntil >= unit.deletedAt) continue
      const terms = {
        now,
        discount: this.discount,
        trialEnd: unit.trialEnd,
        isDegraded: this.isDegraded,
        toTheDay,
      }
      const charge = periodCost({ ...unit, isReturnUsed: this.#isReturnUsed(unit) }, terms)
      if (charge.billedUntil <= unit.billedUntil) continue
      unit.billedUntil = charge.billedUntil
      unit.charged += charge.cost
      cost += charge.cost
      fee += charge.fee
    }
    this.balance -= cost
    this.profit += cost - fee
    if (cost > 0) this.charges += 1
    return { cost, fee }
  }

  #isReturnUsed(unit: ReferenceUnit): boolean {
    return this.units.some(
      (other) =>
        other !== unit &&
        other.sku === unit.sku &&
        other.deletedAt !== null &&
        other.deletedAt <= unit.createdAt &&
        unit.createdAt.getTime() - other.deletedAt.getTime() < days(returnAgain) &&
        other.deletedAt.getTime() - other.createdAt.getTime() < days(14),
    )
  }
}
