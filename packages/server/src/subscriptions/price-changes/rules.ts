import { after, day } from '../../platform/clock.ts'
import { type FieldMessages, message } from '../../platform/http/errors.ts'

/** The replacement of one subscription price by another; cents. */
export interface PriceStep {
  readonly from: number
  readonly to: number
}

/** A requested change with the current catalogue prices. */
export interface WantedChange {
  readonly now: Date
  /** Days of notice before customers pay more. */
  readonly noticeDays: number
  readonly from: number
  readonly to: number
  readonly feeFrom: number
  readonly feeTo: number
  /** Prices other than the catalogue's that are replaced as well. */
  readonly individual: readonly PriceStep[]
  /** `YYYY-MM-DD`; null: the earliest date the notice allows. */
  readonly date: string | null
  /** The tenant pays a fee for its sales and may not sell below it. */
  readonly isFeeCovered: boolean
}

export interface CheckedChange {
  readonly steps: readonly PriceStep[]
  readonly effectiveAt: Date
  /** 0 if no one pays more. */
  readonly noticeDays: number
}

/** Maximum days in advance; anything beyond is considered a typo. */
const longest = 2 * 366

/** Returns all price replacements of a change. */
export function stepsOf({ from, to, individual }: Pick<WantedChange, 'from' | 'to' | 'individual'>) {
  return [{ from, to }, ...individual]
}

/** Returns the required days of notice: none if no one pays more. */
export function noticeFor(steps: readonly PriceStep[], noticeDays: number): number {
  return steps.some((step) => step.to > step.from) ? noticeDays : 0
}

/**
 * Returns when customers notified now may pay more: a midnight (UTC), so that the rest of today doesn't count
 * as notice. Without notice, returns now.
 */
export function earliest(now: Date, noticeDays: number): Date {
  if (noticeDays === 0) return now
  const midnight = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
  return after(midnight, (noticeDays + (midnight < now ? 1 : 0)) * day)
}

/** Returns the errors of a requested change by field, or how to carry it out. */
export function checkChange(
  wanted: WantedChange,
):
  | { readonly errors: Readonly<Record<string, FieldMessages>>; readonly change?: undefined }
  | { readonly errors?: undefined; readonly change: CheckedChange } {
  const steps = stepsOf(wanted)
  const noticeDays = noticeFor(steps, wanted.noticeDays)
  const first = earliest(wanted.now, noticeDays)
  const effectiveAt = wanted.date === null ? first : startOf(wanted.date, wanted.now)
  const errors: Record<string, FieldMessages> = {}
  const cost = costError(wanted)
  if (cost !== undefined) errors.cost = message(cost)
  const individual = individualError(wanted)
  if (individual !== undefined) errors.individual = message(individual)
  if (effectiveAt === undefined) errors.date = message('price-changes.no-day')
  else if (effectiveAt < first) errors.date = message('price-changes.too-early', { date: { day: first } })
  else if (effectiveAt > after(wanted.now, longest * day)) errors.date = message('price-changes.too-late')
  if (effectiveAt === undefined || Object.keys(errors).length > 0) return { errors }
  return { change: { steps, effectiveAt, noticeDays } }
}

function costError({ from, to, feeFrom, feeTo, isFeeCovered }: WantedChange) {
  // free subscriptions include free units, which stay free
  if (from === 0) return 'price-changes.free'
  if (from === to && feeFrom === feeTo) return 'price-changes.same'
  return isFeeCovered && to < feeTo ? 'price-changes.below-fee' : undefined
}

function individualError({ from, to, feeTo, individual, isFeeCovered }: WantedChange) {
  const prices = individual.map((step) => step.from)
  const isWrong =
    new Set(prices).size < prices.length ||
    prices.some((price) => price === 0 || price === from || price === to)
  if (isWrong) return 'price-changes.individual'
  return isFeeCovered && individual.some((step) => step.to < feeTo) ? 'price-changes.below-fee' : undefined
}

/** Returns the start of a day, or now for today. Undefined for an invalid date. */
function startOf(date: string, now: Date): Date | undefined {
  const start = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(start.getTime()) || dayOf(start) !== date) return undefined
  return date === dayOf(now) ? now : start
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
