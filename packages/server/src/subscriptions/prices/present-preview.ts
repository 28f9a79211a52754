import type { PreviewOption, PricePreview } from '@gatehouse/contract/billing/subscriptions'
import type { Language } from '@gatehouse/contract/language'
import { wireDate } from '../../platform/clock.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { BillingFacts } from '../billing-facts-store.ts'
import type { ObjectType, Unit } from '../entitlement-store.ts'
import { handlers, skuTypeOf } from '../handlers.ts'
import { dayOf } from '../price-changes/rules.ts'
import { atPriceOf } from '../restore-subscriptions.ts'
import type { CatalogueSku } from '../sku-store.ts'
import { periodCost } from './period-cost.ts'
import { billedAmounts, monthlyCharge, monthlyCost, offeredUnits } from './pricing.ts'

/** The price-related part of a unit. */
type Priced = Pick<Unit, 'cost' | 'months'>

/** A package with the units a new object would get from it. */
export interface OfferedPackage {
  readonly id: string
  readonly units: readonly Priced[]
}

/** A trial change with everything its price depends on. */
export interface Outcome {
  readonly facts: BillingFacts
  readonly before: readonly Unit[]
  readonly after: readonly Unit[]
  readonly removed: readonly Unit[]
  /** The removed units that can't be returned for free. */
  readonly used: ReadonlySet<string>
  readonly skus: readonly CatalogueSku[]
  /** The object's type; undefined for a whole account. */
  readonly type: ObjectType | undefined
  /** Units per SKU in the wallet after the change, where they count against the free ones. */
  readonly counted: ReadonlyMap<string, number>
  readonly packages: readonly OfferedPackage[]
  readonly now: Date
  readonly language: Language
}

/** The price of a change in the API. */
export function presentPreview(outcome: Outcome): PricePreview {
  const { facts, before, after, removed, used, packages, now } = outcome
  const { currency, discount } = facts
  const monthly = { now: monthlyPrice(before, discount), next: monthlyPrice(after, discount) }
  return {
    currency,
    discount,
    dueNow: removed.reduce((sum, unit) => sum + dueFor(unit, facts, now, used.has(unit.id)), 0),
    monthly,
    change: monthly.next - monthly.now,
    billed: { now: billedAmounts(before, discount), next: billedAmounts(after, discount) },
    lines: lines(outcome),
    options: options(outcome),
    packages: packages.map(({ id, units }) => ({ id, billed: billedAmounts(units, discount) })),
    trialUntil: trialEnd(outcome),
    later: daysOfChanges(after).map((since) => ({
      date: dayOf(since),
      monthly: monthlyPrice(
        after.map((unit) => atPriceOf(since, unit)),
        discount,
      ),
    })),
  }
}

function lines({ facts, before, after, skus, language }: Outcome): PricePreview['lines'] {
  const { discount } = facts
  return skus.flatMap((sku) => {
    const had = unitsOf(before, sku)
    const has = unitsOf(after, sku)
    if (had.length === 0 && has.length === 0) return []
    const monthly = monthlyPrice(has, discount)
    return [
      {
        skuId: sku.id,
        title: sku.title,
        name: localised(sku.name, language),
        quantity: has.length,
        monthly,
        change: monthly - monthlyPrice(had, discount),
        billed: billedAmounts(has, discount),
      },
    ]
  })
}

function options({ facts, before, after, skus, type, counted }: Outcome): PreviewOption[] {
  if (type === undefined) return []
  const { discount } = facts
  return skus
    .filter((sku) => handlers[sku.handler].type === skuTypeOf(type))
    .flatMap((sku) => {
      const had = unitsOf(before, sku)
      const has = unitsOf(after, sku)
      if (!sku.active && had.length === 0 && has.length === 0) return []
      const change = monthlyPrice(has, discount) - monthlyPrice(had, discount)
      // units removed and chosen again keep their price
      const [units = offeredUnits(sku, counted.get(sku.id) ?? 0)] = [has, had].filter(
        (some) => some.length > 0,
      )
      return [{ skuId: sku.id, quantity: units.length, billed: billedAmounts(units, discount), change }]
    })
}

/** Returns the trial's end, if it makes anything free after the change. */
function trialEnd({ facts: { trial, discount }, after, now }: Outcome): string | null {
  if (trial === null || trial.end <= now || discount === 100) return null
  return after.some(({ skuId, cost }) => cost > 0 && trial.skuIds.has(skuId)) ? wireDate(trial.end) : null
}

/** Returns the distinct days on which announced prices take effect. */
function daysOfChanges(units: readonly Unit[]): Date[] {
  const times = units.flatMap(({ coming = [] }) => coming.map(({ since }) => since.getTime()))
  return [...new Set(times)].sort((one, other) => one - other).map((time) => new Date(time))
}

function unitsOf(units: readonly Unit[], { id }: CatalogueSku): readonly Unit[] {
  return units.filter((unit) => unit.skuId === id)
}

function monthlyPrice(units: readonly Priced[], discount: number): number {
  return monthlyCharge(units.map(monthlyCost), discount)
}

/** Returns the cents that a unit removed now has accrued. */
export function dueFor(unit: Unit, facts: BillingFacts, now: Date, isReturnUsed: boolean): number {
  const { discount, isDegraded, trial } = facts
  const end = trial?.skuIds.has(unit.skuId) ? trial.end : null
  return periodCost({ ...unit, deletedAt: now, isReturnUsed }, { now, discount, isDegraded, trialEnd: end })
    .cost
}
