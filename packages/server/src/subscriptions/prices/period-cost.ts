import { addMonths, anchorDay, daysBetween, daysInMonth, monthsBetween } from '../../platform/months.ts'

/** Days after its creation in which a unit can be returned for free. */
const daysToReturn = 14

/** What a unit costs from the first period that begins at or after a moment. */
export interface ComingPrice {
  readonly since: Date
  readonly cost: number
  readonly fee: number
}

/** The cost-related part of an entitlement. */
export interface ChargedUnit {
  /** Cents for `months`, for the period that begins at `billedUntil`. */
  readonly cost: number
  readonly fee: number
  /** Later prices, in chronological order. */
  readonly coming?: readonly ComingPrice[]
  /** 1 unless paid yearly. */
  readonly months?: number
  readonly createdAt: Date
  /** Everything before this moment is charged. */
  readonly billedUntil: Date
  /** From when its months are counted: the end of a trial or a settlement. Null or absent: its creation. */
  readonly countedFrom?: Date | null
  /** Null if not deleted. */
  readonly deletedAt: Date | null
  /** The account recently returned one of these for free; see `returnAgain`. */
  readonly isReturnUsed?: boolean
}

export interface ChargeTerms {
  readonly now: Date
  /** Percent off the cost, never off the fee. */
  readonly discount: number
  /** The unit is free before this moment; null: no trial. */
  readonly trialEnd: Date | null
  /** The owner of a degraded account pays nothing; the fee is still owed. */
  readonly isDegraded: boolean
  /** Also charges partial months, as a settlement does; always the case for deleted units. */
  readonly toTheDay?: boolean
}

export interface Charge {
  /** Cents that the wallet's owner pays. */
  readonly cost: number
  /** Cents that the tenant owes the platform. */
  readonly fee: number
  /** Everything before this moment is now charged. */
  readonly billedUntil: Date
  /** From when the unit's months are counted afterwards. */
  readonly countedFrom: Date
}

/**
 * Days after a free return in which other units of that SKU in the wallet can't be returned for free: those
 * who repeatedly add and remove the same SKU pay from the second time on.
 */
export const returnAgain = 180

/**
 * Computes what an entitlement has accrued since it was last charged; reference api-billing-admin §11. Whole
 * cents throughout, rounded down for each month and partial month. Each period costs what was in force when it
 * began.
 */
export function periodCost(unit: ChargedUnit, terms: ChargeTerms): Charge {
  const end = unit.deletedAt ?? terms.now
  let [current, cost, fee] = [unit, 0, 0]
  for (const next of unit.coming ?? []) {
    const { start, began } = firstPeriod(current, terms)
    const boundary = firstPeriodAt(next.since, start, began, current.months)
    if (boundary >= end) break
    if (boundary > start) {
      const part = costAtOnePrice(
        { ...current, deletedAt: null },
        { ...terms, now: boundary, toTheDay: false },
      )
      cost += part.cost
      fee += part.fee
      current = { ...current, billedUntil: part.billedUntil, countedFrom: part.countedFrom }
    }
    current = { ...current, cost: next.cost, fee: next.fee }
  }
  const rest = costAtOnePrice(current, terms)
  return { ...rest, cost: cost + rest.cost, fee: fee + rest.fee }
}

/** Returns the start of the first uncharged period, and from when its months are counted. */
function firstPeriod(unit: ChargedUnit, { trialEnd }: ChargeTerms): { start: Date; began: Date } {
  const isTrial = trialEnd !== null && unit.billedUntil < trialEnd
  if (isTrial) return { start: trialEnd, began: trialEnd }
  return { start: unit.billedUntil, began: unit.countedFrom ?? unit.createdAt }
}

/** Returns the first start of a period at or after a moment, in whole periods from `start`. */
export function firstPeriodAt(moment: Date, start: Date, began: Date, length = 1): Date {
  const anchor = anchorDay(began, start)
  const months =
    (moment.getUTCFullYear() - start.getUTCFullYear()) * 12 + moment.getUTCMonth() - start.getUTCMonth()
  const periods = Math.max(0, Math.floor(months / length))
  const found = addMonths(start, periods * length, anchor)
  return found >= moment ? found : addMonths(start, (periods + 1) * length, anchor)
}

function costAtOnePrice(unit: ChargedUnit, terms: ChargeTerms): Charge {
  const end = unit.deletedAt ?? terms.now
  // during a trial there is nothing to charge before its end
  const { start, began: countedFrom } = firstPeriod(unit, terms)
  if (end <= start) return { cost: 0, fee: 0, billedUntil: start, countedFrom }
  const discount = terms.isDegraded ? 100 : terms.discount
  const toTheDay = terms.toTheDay === true || unit.deletedAt !== null
  if (toTheDay && isReturned(unit, end)) return { cost: 0, fee: 0, billedUntil: end, countedFrom: end }

  const anchor = anchorDay(countedFrom, start)
  const { months: length = 1 } = unit
  const periods = Math.floor(monthsBetween(start, end, anchor) / length)
  const billedUntil = addMonths(start, periods * length, anchor)
  const whole = {
    cost: share(unit.cost, discount, 1, 1) * periods,
    fee: unit.fee * periods,
    billedUntil,
    countedFrom,
  }
  if (!toTheDay || end <= billedUntil) return whole
  const rest =
    length === 1
      ? daysCost(unit, discount, billedUntil, end)
      : daysOfLongPeriod(unit, discount, billedUntil, end, addMonths(billedUntil, length, anchor))
  return { cost: whole.cost + rest.cost, fee: whole.fee + rest.fee, billedUntil: end, countedFrom: end }
}

function isReturned(unit: ChargedUnit, end: Date): boolean {
  return unit.isReturnUsed !== true && daysBetween(unit.createdAt, end) < daysToReturn
}

/** Part of a year for yearly units: its days at that year's price per day. */
function daysOfLongPeriod(
  unit: Pick<ChargedUnit, 'cost' | 'fee'>,
  discount: number,
  start: Date,
  end: Date,
  periodEnd: Date,
): { cost: number; fee: number } {
  const days = daysBetween(start, end)
  const whole = daysBetween(start, periodEnd)
  return { cost: share(unit.cost, discount, days, whole), fee: share(unit.fee, 0, days, whole) }
}

/** Part of a month: days in the last month at its price per day, earlier ones at the first month's. */
function daysCost(
  unit: Pick<ChargedUnit, 'cost' | 'fee'>,
  discount: number,
  start: Date,
  end: Date,
): { cost: number; fee: number } {
  const days = daysBetween(start, end)
  const inEndMonth = Math.min(days, end.getUTCDate())
  const inStartMonth = days - inEndMonth
  const price = (cents: number, percent: number) =>
    share(cents, percent, inEndMonth, daysInMonth(end)) +
    share(cents, percent, inStartMonth, daysInMonth(start))
  return { cost: price(unit.cost, discount), fee: price(unit.fee, 0) }
}

/** Returns `parts` of an amount divided into `whole`, less a discount in percent, in whole cents. */
function share(cents: number, discount: number, parts: number, whole: number): number {
  return Math.floor((cents * (100 - discount) * parts) / (100 * whole))
}
