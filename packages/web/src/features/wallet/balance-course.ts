import type { Forecast, Transaction } from '@gatehouse/contract/billing/wallets'
import { toDate } from '../../i18n/format.ts'
import type { Step } from '../../ui/step-chart/scale.ts'

/**
 * Returns past balances from the entries of a wallet, newest first: a step at each, and the balance before.
 */
export function pastCourse(entries: readonly Transaction[], from: number): Step[] {
  const known = entries
    .flatMap(({ createdAt, amount, balance }) =>
      balance === undefined ? [] : [{ at: toDate(createdAt).getTime(), amount, balance }],
    )
    .reverse()
  const steps = known.map(({ at, balance }) => ({ at: Math.max(at, from), value: balance }))
  const first = known[0]
  // a wallet's first entry starts from zero, which isn't history
  const before = first && first.balance - first.amount
  return before ? [{ at: from, value: before }, ...steps] : steps
}

/**
 * Returns the expected balance: a step for each month with charges, on the day of the month of the next
 * charge if known, otherwise at the end of the month.
 */
export function futureCourse({ balance, next, months }: Forecast, now: number): Step[] {
  const steps: Step[] = [{ at: now, value: balance }]
  const day = next === null ? undefined : Number(next.date.slice(8))
  let since = now
  for (const month of months) {
    const end = Date.parse(month.until)
    if (month.charges !== 0) steps.push({ at: dayWithin(day, since, end), value: month.balance })
    since = end
  }
  return steps
}

/**
 * Returns the first moment after `since` on a day of the month, clamped to its last day; otherwise the end.
 */
function dayWithin(day: number | undefined, since: number, end: number): number {
  if (day === undefined) return end
  const from = new Date(since)
  const year = from.getUTCFullYear()
  const candidates = [0, 1].map((more) => {
    const month = from.getUTCMonth() + more
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return Date.UTC(year, month, Math.min(day, last))
  })
  return candidates.find((at) => at > since && at <= end) ?? end
}
