import { addMonths, anchorDay, daysBetween, daysInMonth, monthsBetween } from '../../platform/months.ts'

/** Days after its creation within which something can be given back at no cost. */
const daysToReturn = 14

/** What a unit costs from the first period that begins at or after a moment. */
export interface ComingPrice {
  readonly since: Date
  readonly cost: number
  readonly fee: number
}

/** An entitlement as far as its cost goes. */
export interface ChargedUnit {
  /** Cents for so many `months`; of the period that begins at `billedUntil`. */
  readonly cost: number
  readonly fee: number
  /** Prices that follow, in the order of their days. */
  readonly coming?: readonly ComingPrice[]
  /** 1 unless it is paid by the year. */
  readonly months?: number
  readonly createdAt: Date
  /** Everything before this moment is charged. */
  readonly billedUntil: Date
  /** From when its months are counted: the end of a trial or a settlement. Null or absent: from its creation. */
  readonly countedFrom?: Date | null
  /** Null: it goes on. */
  readonly deletedAt: Date | null
  /** The account has given back one of these for nothing not long ago; see `returnAgain`. */
  readonly isReturnUsed?: boolean
}

export interface ChargeTerms {
  readonly now: Date
  /** Percent off the cost, never off the fee. */
  readonly discount: number
  /** The unit costs nothing before this moment; null: it has no trial. */
  readonly trialEnd: Date | null
  /** While the account is degraded its owner pays nothing; the fee is still owed. */
  readonly isDegraded: boolean
  /** Charges days too and not whole months alone, as a settlement does; always so for what is deleted. */
  readonly toTheDay?: boolean
}

export interface Charge {
  /** Cents that the owner of the wallet pays. */
  readonly cost: number
  /** Cents that the tenant owes the platform. */
  readonly fee: number
  /** Everything before this moment is charged now. */
  readonly billedUntil: Date
  /** From when the unit's months are counted from now on. */
  readonly countedFrom: Date
}

/**
 * Days after a return at no cost in which the wallet's other units of that SKU have none: whoever adds and removes
 * the same thing again and again pays for it from the second time on.
 */
export const returnAgain = 180

/**
 * What one entitlement has run up since it was last charged; reference api-billing-admin §11. Whole cents all
 * the way, rounded down for each month and each part of a month. Each period costs what was in force when it began.
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

/** Where the first period that is not charged begins, and from when its months are counted. */
function firstPeriod(unit: ChargedUnit, { trialEnd }: ChargeTerms): { start: Date; began: Date } {
  const isTrial = trialEnd !== null && unit.billedUntil < trialEnd
  if (isTrial) return { start: trialEnd, began: trialEnd }
  return { start: unit.billedUntil, began: unit.countedFrom ?? unit.createdAt }
}

/** The first beginning of a period at or after a moment, counted in whole periods from one that begins at `start`. */
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
  // while a trial runs there is nothing to come back for before its end
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

/** Less than a year of what is paid by the year: its days at the price of a day of that year. */
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

/** Less than a month: days in the month of the end at its price of a day, those before at that of the start. */
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

/** So many parts of an amount that is divided into `whole`, less a discount in percent, in whole cents. */
function share(cents: number, discount: number, parts: number, whole: number): number {
  return Math.floor((cents * (100 - discount) * parts) / (100 * whole))
}
