import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { databaseGauge, type Sample } from '../../platform/metrics.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

/** Numbers of the business: who is there, what they have and owe, who came today. */
export function measureBusiness(registry: Registry, parts: Parts): void {
  measureAccounts(registry, parts)
  measureMoney(registry, parts)
}

function measureAccounts(registry: Registry, { db, clock }: Parts): void {
  databaseGauge(
    registry,
    {
      name: 'gatehouse_users',
      help: 'Users who are not deleted, by state; one may be in several',
      labelNames: ['state'],
    },
    remembered(clock, async () => {
      const has = (bit: number) => sql`count(*) filter (where status & ${bit}::int <> 0)`
      const { rows } = await sql<Record<string, number>>`select count(*) as "all",
        ${has(userStatus.suspended)} as suspended, ${has(userStatus.degraded)} as degraded,
        ${has(userStatus.restricted)} as restricted from users where deleted_at is null`.execute(db)
      return Object.entries(rows[0] ?? {}).map<Sample>(([state, value]) => ({ labels: { state }, value }))
    }),
  )
  databaseGauge(
    registry,
    { name: 'gatehouse_signups_day', help: 'Accounts that were created in the last 24 hours' },
    remembered(clock, async () => {
      const { rows } = await sql<{ value: number }>`select count(*) as value from users u
        where u.created_at > ${after(clock.now(), -day)}::timestamptz and u.role is null
          and exists (select from wallets w where w.id = u.wallet_id and w.user_id = u.id)`.execute(db)
      return rows
    }),
  )
}

interface Sums {
  readonly currency: string
  readonly credit: number
  readonly debt: number
  readonly debtors: number
}

function measureMoney(registry: Registry, { db, clock }: Parts): void {
  const sums = remembered(clock, async () => {
    const { rows } = await sql<Sums>`
      select w.currency, coalesce(sum(w.balance) filter (where w.balance > 0), 0)::float8 as credit,
        coalesce(-sum(w.balance) filter (where w.balance < 0), 0)::float8 as debt,
        count(*) filter (where w.balance < 0) as debtors
      from wallets w join users o on o.id = w.user_id where o.deleted_at is null and w.balance <> 0
      group by 1`.execute(db)
    return rows
  })
  const gauge = (name: string, help: string, value: (row: Sums) => number) =>
    databaseGauge(registry, { name, help, labelNames: ['currency'] }, async () =>
      (await sums()).map((row) => ({ labels: { currency: row.currency }, value: value(row) })),
    )
  gauge('gatehouse_wallet_credit', 'Cents in wallets with money', ({ credit }) => credit)
  gauge('gatehouse_wallet_debt', 'Cents that wallets are below zero', ({ debt }) => debt)
  gauge('gatehouse_wallet_debtors', 'Wallets below zero', ({ debtors }) => debtors)
}

/** Counting millions of rows takes a while, and who watches asks every few seconds: an answer is kept for a minute. */
function remembered<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly until: number; readonly answer: Promise<T> } | undefined
  return () => {
    const now = clock.now().getTime()
    if (last !== undefined && last.until > now) return last.answer
    const answer = read()
    last = { until: now + minute * 1000, answer }
    // what failed is asked again
    answer.catch(() => {
      last = undefined
    })
    return answer
  }
}
