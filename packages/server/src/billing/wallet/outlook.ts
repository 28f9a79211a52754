import { addMonths } from '../../platform/months.ts'

/** Units with the same price and due dates. */
export interface UnitGroup {
  readonly units: number
  /** Cents per period and unit, after the discount. */
  readonly cost: number
  /** Future prices for periods that start at or after a time, in order; absent if the price stays the same. */
  readonly coming?: readonly { readonly since: Date; readonly cost: number }[]
  /** Months per period. */
  readonly months: number
  /** Start of the next period: everything before is charged or free. */
  readonly since: Date
  /** Day of the month on which periods start; see `anchorDay`. */
  readonly anchor: number
}

/** Everything that determines how long the balance lasts. */
export interface Outlook {
  readonly now: Date
  /** Cents. */
  readonly balance: number
  /** Cents already due. */
  readonly pending: number
  readonly groups: readonly UnitGroup[]
}

export interface UpcomingCharge {
  readonly at: Date
  readonly cost: number
}

/** Maximum months to look ahead: 25 years, as in the reference. */
const horizon = 300

/** Future charges in order, month by month, each at the end of its period. Excludes what is already due. */
export function* upcomingCharges({ now, groups }: Outlook, months = horizon): Generator<UpcomingCharge> {
  const counts = groups.map(() => 0)
  for (let month = 1; month <= months; month++) {
    const end = addMonths(now, month)
    const found: UpcomingCharge[] = []
    groups.forEach((group, index) => {
      for (;;) {
        const count = (counts[index] ?? 0) + 1
        const at = addMonths(group.since, count * group.months, group.anchor)
        if (at > end) return
        counts[index] = count
        const began = addMonths(group.since, (count - 1) * group.months, group.anchor)
        if (at > now) found.push({ at, cost: costOf(group, began) * group.units })
      }
    })
    yield* found.sort((one, other) => one.at.getTime() - other.at.getTime())
  }
}

/** Cents per unit for a period that starts at the given time. */
function costOf({ cost, coming }: UnitGroup, began: Date): number {
  return coming?.findLast(({ since }) => since <= began)?.cost ?? cost
}

/** The next charge: everything on the same day, or today if something is due. */
export function nextCharge(outlook: Outlook): UpcomingCharge | undefined {
  if (outlook.pending > 0) return { at: outlook.now, cost: outlook.pending }
  let first: UpcomingCharge | undefined
  for (const { at, cost } of upcomingCharges(outlook)) {
    if (first === undefined) first = { at, cost }
    else if (dayOf(at) === dayOf(first.at)) first = { at: first.at, cost: first.cost + cost }
    else return first
  }
  return first
}

/**
 * When the balance becomes negative at the current rate; reference api-billing-admin §12. Undefined if it
 * already is, or won't be within 25 years.
 */
export function lastsUntil(outlook: Outlook): Date | undefined {
  if (outlook.balance < 0) return undefined
  let left = outlook.balance - outlook.pending
  if (left < 0) return outlook.now
  for (const { at, cost } of upcomingCharges(outlook)) {
    left -= cost
    if (left < 0) return at
  }
  return undefined
}

export interface ForecastMonth {
  readonly until: Date
  readonly charges: number
  /** Balance at its end. */
  readonly balance: number
}

/** Forecast of the next months; what is already due is part of the first one. */
export function forecastMonths(outlook: Outlook, count = 12): ForecastMonth[] {
  const charges = [...upcomingCharges(outlook, count)]
  let { balance } = outlook
  return Array.from({ length: count }, (_, index) => {
    const since = addMonths(outlook.now, index)
    const until = addMonths(outlook.now, index + 1)
    const inMonth = charges.filter(({ at }) => at > since && at <= until)
    const cost = inMonth.reduce((sum, charge) => sum + charge.cost, index === 0 ? outlook.pending : 0)
    balance -= cost
    return { until, charges: cost, balance }
  })
}

/** Used but not paid, in cents: the debt plus charges already due. */
export function owed({ balance, pending }: Pick<Outlook, 'balance' | 'pending'>): number {
  return Math.max(0, pending - balance)
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
