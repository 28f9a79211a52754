import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Metrics, Sample } from '../../platform/metrics/metrics.ts'
import { countSignups, usersByState, type WalletSums, walletSums } from './stats-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

/** Business metrics: users, subscriptions, balances and debts, sign-ups of the day. */
export function measureBusiness(metrics: Metrics, parts: Parts): void {
  measureAccounts(metrics, parts)
  measureMoney(metrics, parts)
}

function measureAccounts(metrics: Metrics, { db, clock }: Parts): void {
  metrics.databaseGauge(
    {
      name: 'gatehouse_users',
      help: 'Existing users by state; a user can be in several',
      labelNames: ['state'],
    },
    remembered(clock, async () => {
      const counts = await usersByState(db)
      return Object.entries(counts).map<Sample>(([state, value]) => ({ labels: { state }, value }))
    }),
  )
  metrics.databaseGauge(
    { name: 'gatehouse_signups_day', help: 'Accounts created in the last 24 hours' },
    remembered(clock, async () => [{ value: await countSignups(db, after(clock.now(), -day)) }]),
  )
}

function measureMoney(metrics: Metrics, { db, clock }: Parts): void {
  const sums = remembered(clock, () => walletSums(db))
  const gauge = (name: string, help: string, value: (row: WalletSums) => number) =>
    metrics.databaseGauge({ name, help, labelNames: ['currency'] }, async () =>
      (await sums()).map((row) => ({ labels: { currency: row.currency }, value: value(row) })),
    )
  gauge('gatehouse_wallet_credit', 'Sum of positive wallet balances in cents', ({ credit }) => credit)
  gauge('gatehouse_wallet_debt', 'Absolute sum of negative wallet balances in cents', ({ debt }) => debt)
  gauge('gatehouse_wallet_debtors', 'Wallets with a negative balance', ({ debtors }) => debtors)
}

/** Caches a result for a minute: counting millions of rows is slow, and scrapes come every few seconds. */
function remembered<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly until: number; readonly answer: Promise<T> } | undefined
  return () => {
    const now = clock.now().getTime()
    if (last !== undefined && last.until > now) return last.answer
    const answer = read()
    last = { until: now + minute * 1000, answer }
    // don't cache failures
    answer.catch(() => {
      last = undefined
    })
    return answer
  }
}
