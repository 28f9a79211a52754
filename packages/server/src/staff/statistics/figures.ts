import type { FigureName, Figures } from '@gatehouse/contract/staff/stats'
import type { Db } from '../../platform/db/database.ts'
import { type StatsSpan, spanBefore } from './span.ts'
import { lastPayers, type StatsScope, weeksOfIncome, weeksOfUsers } from './stats-store.ts'

/** Whose figures, and for which days. */
export interface FiguresRequest {
  readonly db: Db
  readonly scope: StatsScope
  readonly span: StatsSpan
  /** The system's currency, ISO 4217. */
  readonly currency: string
  readonly withIncome: boolean
}

/** Users gained and lost, and payments in a period, compared with the previous one. */
export async function makeFigures(request: FiguresRequest): Promise<Figures> {
  const { span, currency } = request
  const previous = spanBefore(span)
  const [now, before] = await Promise.all([measure(request, span), measure(request, previous)])
  return {
    ...span,
    previous,
    currency,
    figures: now.map(([name, value], index) => ({ name, value, before: before[index]?.[1] ?? null })),
  }
}

type Measured = readonly (readonly [FigureName, number | null])[]

async function measure(request: FiguresRequest, span: StatsSpan): Promise<Measured> {
  const { db, scope, currency, withIncome } = request
  const [weeks, payers, income] = await Promise.all([
    weeksOfUsers(db, scope, span),
    lastPayers(db, scope, span),
    withIncome ? weeksOfIncome(db, span, currency) : [],
  ])
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const within = weeks.filter(({ isBefore }) => !isBefore)
  return [
    ['users-created', sum(within.map(({ created }) => created))],
    ['users-deleted', sum(within.map(({ deleted }) => deleted))],
    ['users', sum(weeks.map(({ created, deleted }) => created - deleted))],
    ['payers', payers ?? null],
    ...(withIncome ? [['income', sum(income.map(({ amount }) => amount)) / 100] as const] : []),
  ]
}
