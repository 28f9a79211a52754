import type { Forecast, Transaction } from '@gatehouse/contract/billing/wallets'
import { toDate } from '../../i18n/format.ts'
import type { Step } from '../../ui/step-chart/scale.ts'

/** The balance by the entries of a wallet, which come newest first: a step at each, and where it stood before. */
export function pastCourse(entries: readonly Transaction[], from: number): Step[] {
  const known = entries
    .flatMap(({ createdAt, amount, balance }) =>
      balance === undefined ? [] : [{ at: toDate(createdAt).getTime(), amount, balance }],
    )
    .reverse()
  const steps = known.map(({ at, balance }) => ({ at: Math.max(at, from), value: balance }))
  const first = known[0]
  // before its first entry ever a wallet was empty, which is no history
  const before = first && first.balance - first.amount
  return before ? [{ at: from, value: before }, ...steps] : steps
}

/**
 * The balance that is expected: a step for each month with charges. They come on the day of the month on which the
 * next one does, as far as that is known; else the month's end stands for it.
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

/** The first moment after `since` on a day of the month (its last, where there is none such); else the end. */
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
