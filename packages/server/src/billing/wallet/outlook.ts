import { addMonths } from '../../platform/months.ts'

/** Units of one price that are due at the same times. */
export interface UnitGroup {
  readonly units: number
  /** Cents that each period of one unit costs, after the discount. */
  readonly cost: number
  /** What periods cost that begin at or after a moment, in the order of time; absent: always the same. */
  readonly coming?: readonly { readonly since: Date; readonly cost: number }[]
  /** Months of a period. */
  readonly months: number
  /** When the next period begins: what lies before is charged or free. */
  readonly since: Date
  /** Day of the month that periods begin on; see `anchorDay`. */
  readonly anchor: number
}

/** Everything that decides how long money lasts. */
export interface Outlook {
  readonly now: Date
  /** Cents. */
  readonly balance: number
  /** Cents that are due already. */
  readonly pending: number
  readonly groups: readonly UnitGroup[]
}

export interface UpcomingCharge {
  readonly at: Date
  readonly cost: number
}

/** Months that are looked ahead at most: 25 years, as in the reference. */
const horizon = 300

/**
 * Charges after now in their order, month by month, each at the moment when its period is over. What is due already
 * is not among them.
 */
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

/** Cents of one unit for a period that begins at a moment. */
function costOf({ cost, coming }: UnitGroup, began: Date): number {
  return coming?.findLast(({ since }) => since <= began)?.cost ?? cost
}

/** The next charge: everything that falls on the same day, and now if something is due. */
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
 * When the balance falls below zero if nothing changes; reference api-billing-admin §12. Undefined: it has, or
 * never does within 25 years.
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
  /** At the end of it. */
  readonly balance: number
}

/** The next months one by one; what is due already falls into the first. */
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

/** Used but not paid, in cents: the debt, and charges that are already due. */
export function owed({ balance, pending }: Pick<Outlook, 'balance' | 'pending'>): number {
  return Math.max(0, pending - balance)
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
