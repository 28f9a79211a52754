import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isSignup } from './daily-stats-store.ts'

/** Whose numbers: undefined: everybody's. */
export type StatsScope = number | undefined

/** Users that came and went in a week, which begins on the Monday. */
export interface WeekOfUsers {
  readonly week: string
  readonly created: number
  readonly deleted: number
}

const ofTenant = (scope: StatsScope, column: string): RawBuilder<unknown> =>
  scope === undefined ? sql`true` : sql`${sql.ref(column)} = ${scope}`

/**
 * Users that came and went, by week: what was counted at night, and what came since then. What lies before the first week
 * is summed up in the one before it.
 */
export async function weeksOfUsers(db: Db, scope: StatsScope, first: string): Promise<WeekOfUsers[]> {
  const counted = (kind: 'created' | 'deleted') => sql`
    select ${kind} as kind, day, value from daily_stats where kind = ${kind} and ${ofTenant(scope, 'tenant_id')}`
  const since = (kind: 'created' | 'deleted') => {
    const column = sql.ref(`${kind}_at`)
    return sql`select ${kind} as kind, (${column} at time zone 'UTC')::date as day, 1 as value from users
      where ${column} >= coalesce((select (max(day) + 1)::timestamp at time zone 'UTC' from daily_stats
        where kind = ${kind}), '-infinity') and ${ofTenant(scope, 'tenant_id')}`
  }
  const { rows } = await sql<WeekOfUsers>`
    select greatest(date_trunc('week', day)::date, ${first}::date - 7)::text as week,
      coalesce(sum(value) filter (where kind = 'created'), 0)::int as created,
      coalesce(sum(value) filter (where kind = 'deleted'), 0)::int as deleted
    from (${counted('created')} union all ${counted('deleted')} union all ${since('created')}
      union all ${since('deleted')}) days
    group by 1 order by 1`.execute(db)
  return rows
}

export interface WeekOfMoney {
  readonly week: string
  /** Minor units of the system's currency. */
  readonly amount: number
}

/**
 * What customers paid, by the week in which they did: what was counted at night, and what came since. Other currencies
 * are taken at the latest known rate; what has none is left out.
 */
export async function weeksOfIncome(db: Db, first: string, currency: string): Promise<WeekOfMoney[]> {
  // asked for beforehand: with a date at hand the planner knows how few payments are newer, and reads only those
  const since = await firstUncounted(db, 'income', first)
  const { rows } = await sql<WeekOfMoney>`
    with days as (
      select day, label as currency, value as amount from daily_stats
        where kind = 'income' and label <> '' and day >= ${first}::date and day < ${since}::date
      union all
      select (p.paid_at at time zone 'UTC')::date, w.currency, p.credit_amount
        from payments p join wallets w on w.id = p.wallet_id
        where p.status = 'paid' and p.type in ('oneoff', 'recurring')
          and p.paid_at >= ${since}::date::timestamp at time zone 'UTC'
    )
    select date_trunc('week', d.day)::date::text as week,
      round(sum(d.amount / case when d.currency = ${currency} then 1 else r.rate end))::float8 as amount
    from (select day, currency, sum(amount) as amount from days group by 1, 2) d
      left join lateral (select rate from exchange_rates where base = ${currency} and currency = d.currency
        order by day desc limit 1) r on true
    group by 1 order by 1`.execute(db)
  return rows
}

/** The first day, not before `first`, that was not counted yet. */
async function firstUncounted(db: Db, kind: 'income' | 'signups', first: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`select greatest(${first}::date, max(day) + 1)::text as day
    from daily_stats where kind = ${kind}`.execute(db)
  return rows[0]?.day ?? first
}

export interface WeekOfSignups {
  /** Its Monday. */
  readonly week: string
  readonly count: number
}

/** New accounts by week: what was counted at night, and what came since. Weeks without any are left out. */
export async function weeksOfSignups(db: Db, scope: StatsScope, first: string): Promise<WeekOfSignups[]> {
  const since = await firstUncounted(db, 'signups', first)
  const { rows } = await sql<WeekOfSignups>`
    select date_trunc('week', day)::date::text as week, sum(value)::int as count from (
      select day, value from daily_stats
        where kind = 'signups' and day >= ${first}::date and day < ${since}::date and ${ofTenant(scope, 'tenant_id')}
      union all
      select (u.created_at at time zone 'UTC')::date, 1 from users u
        where u.created_at >= ${since}::date::timestamp at time zone 'UTC' and ${isSignup}
          and ${ofTenant(scope, 'u.tenant_id')}
    ) days group by 1 having sum(value) > 0 order by 1`.execute(db)
  return rows
}

export interface WeekOfPayers {
  readonly week: string
  readonly payers: number
}

/** How many paid in the mean of a week's days. */
export async function weeksOfPayers(db: Db, scope: StatsScope, first: string): Promise<WeekOfPayers[]> {
  const { rows } = await sql<WeekOfPayers>`select week::text, round(avg(payers))::int as payers from (
      select date_trunc('week', day)::date as week, day, sum(value) as payers from daily_stats
      where kind = 'payers' and day >= ${first}::date and ${ofTenant(scope, 'tenant_id')} group by 2
    ) days group by 1 order by 1`.execute(db)
  return rows
}

export interface Slice {
  readonly label: string
  readonly value: number
}

/** Wallets by the percent of their discount. */
export async function walletsByDiscount(db: Db, scope: StatsScope): Promise<Slice[]> {
  const { rows } = await sql<Slice>`select d.discount || '%' as label, count(*)::int as value
    from wallets w join discounts d on d.id = w.discount_id join users o on o.id = w.user_id
    where w.discount_id is not null and d.discount > 0 and o.deleted_at is null and ${ofTenant(scope, 'o.tenant_id')}
    group by d.discount order by d.discount`.execute(db)
  return rows
}

/** Wallets by the code of their discount. */
export async function walletsByVoucher(db: Db, scope: StatsScope): Promise<Slice[]> {
  const { rows } = await sql<Slice>`select d.code as label, count(*)::int as value
    from wallets w join discounts d on d.id = w.discount_id join users o on o.id = w.user_id
    where w.discount_id is not null and d.code is not null and o.deleted_at is null and ${ofTenant(scope, 'o.tenant_id')}
    group by d.code order by 2 desc, 1`.execute(db)
  return rows
}

/** Customers by the code of their country, most first, as they were counted last. */
export async function usersByCountry(db: Db): Promise<Slice[]> {
  const { rows } = await sql<Slice>`select label, sum(value)::int as value from daily_stats
    where kind = 'country' group by label order by 2 desc, 1`.execute(db)
  return rows
}

/** Users who are not deleted, all and by state; one may be in several. */
export async function usersByState(db: Db): Promise<Record<string, number>> {
  const has = (bit: number) => sql`count(*) filter (where status & ${bit}::int <> 0)`
  const { rows } = await sql<Record<string, number>>`select count(*) as "all",
    ${has(userStatus.suspended)} as suspended, ${has(userStatus.degraded)} as degraded,
    ${has(userStatus.restricted)} as restricted from users where deleted_at is null`.execute(db)
  return rows[0] ?? {}
}

/** Accounts that were created after a moment. */
export async function countSignups(db: Db, since: Date): Promise<number> {
  const { rows } = await sql<{ value: number }>`select count(*) as value from users u
    where u.created_at > ${since}::timestamptz and ${isSignup}`.execute(db)
  return rows[0]?.value ?? 0
}

/** Cents in wallets of one currency, above and below zero. */
export interface WalletSums {
  readonly currency: string
  readonly credit: number
  readonly debt: number
  readonly debtors: number
}

export async function walletSums(db: Db): Promise<WalletSums[]> {
  const { rows } = await sql<WalletSums>`
    select w.currency, coalesce(sum(w.balance) filter (where w.balance > 0), 0)::float8 as credit,
      coalesce(-sum(w.balance) filter (where w.balance < 0), 0)::float8 as debt,
      count(*) filter (where w.balance < 0) as debtors
    from wallets w join users o on o.id = w.user_id where o.deleted_at is null and w.balance <> 0
    group by 1`.execute(db)
  return rows
}
