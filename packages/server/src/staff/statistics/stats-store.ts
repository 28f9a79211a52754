import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isSignup } from './daily-stats-store.ts'
import type { StatsSpan } from './span.ts'

/** Whose numbers; undefined: everyone's. */
export type StatsScope = number | undefined

/** Users gained and lost in a week, which starts on Monday. */
export interface WeekOfUsers {
  readonly week: string
  readonly created: number
  readonly deleted: number
  /** Summarizes everything before the span. */
  readonly isBefore: boolean
}

const ofTenant = (scope: StatsScope, column: string): RawBuilder<unknown> =>
  scope === undefined ? sql`true` : sql`${sql.ref(column)} = ${scope}`

/**
 * Returns users gained and lost in a span, by week, combining nightly counts with newer rows. Everything
 * before the span is summed up in the preceding week.
 */
export async function weeksOfUsers(
  db: Db,
  scope: StatsScope,
  { from, to }: StatsSpan,
): Promise<WeekOfUsers[]> {
  const counted = (kind: 'created' | 'deleted') => sql`
    select ${kind} as kind, day, value from daily_stats where kind = ${kind} and ${ofTenant(scope, 'tenant_id')}`
  const since = (kind: 'created' | 'deleted') => {
    const column = sql.ref(`${kind}_at`)
    return sql`select ${kind} as kind, (${column} at time zone 'UTC')::date as day, 1 as value from users
      where ${column} >= coalesce((select (max(day) + 1)::timestamp at time zone 'UTC' from daily_stats
        where kind = ${kind}), '-infinity') and ${ofTenant(scope, 'tenant_id')}`
  }
  const { rows } = await sql<WeekOfUsers>`
    select (date_trunc('week', greatest(day, ${from}::date))::date
        - case when day < ${from}::date then 7 else 0 end)::text as week,
      bool_and(day < ${from}::date) as is_before,
      coalesce(sum(value) filter (where kind = 'created'), 0)::int as created,
      coalesce(sum(value) filter (where kind = 'deleted'), 0)::int as deleted
    from (${counted('created')} union all ${counted('deleted')} union all ${since('created')}
      union all ${since('deleted')}) days
    where day <= ${to}::date group by 1 order by 1`.execute(db)
  return rows
}

export interface WeekOfMoney {
  readonly week: string
  /** Minor units of the system's currency. */
  readonly amount: number
}

/**
 * Returns customers' payments by week, combining nightly counts with newer rows. Other currencies are
 * converted at the latest known rate; those without one are left out.
 */
export async function weeksOfIncome(
  db: Db,
  { from, to }: StatsSpan,
  currency: string,
): Promise<WeekOfMoney[]> {
  // queried first: with a literal date the planner knows how few payments are newer, and reads only those
  const since = await firstUncounted(db, 'income', from)
  const { rows } = await sql<WeekOfMoney>`
    with days as (
      select day, label as currency, value as amount from daily_stats
        where kind = 'income' and label <> '' and day >= ${from}::date and day < ${since}::date
          and day <= ${to}::date
      union all
      select (p.paid_at at time zone 'UTC')::date, w.currency, p.credit_amount
        from payments p join wallets w on w.id = p.wallet_id
        where p.status = 'paid' and p.type in ('oneoff', 'recurring')
          and p.paid_at >= ${since}::date::timestamp at time zone 'UTC'
          and p.paid_at < (${to}::date + 1)::timestamp at time zone 'UTC'
    )
    select date_trunc('week', d.day)::date::text as week,
      round(sum(d.amount / case when d.currency = ${currency} then 1 else r.rate end))::float8 as amount
    from (select day, currency, sum(amount) as amount from days group by 1, 2) d
      left join lateral (select rate from exchange_rates where base = ${currency} and currency = d.currency
        order by day desc limit 1) r on true
    group by 1 order by 1`.execute(db)
  return rows
}

/** Returns the first day from `first` on that wasn't counted yet. */
async function firstUncounted(db: Db, kind: 'income' | 'signups', first: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`select greatest(${first}::date, max(day) + 1)::text as day
    from daily_stats where kind = ${kind}`.execute(db)
  return rows[0]?.day ?? first
}

export interface WeekOfSignups {
  /** The week's Monday. */
  readonly week: string
  readonly count: number
}

/** Returns new accounts by week, combining nightly counts with newer rows. Leaves out weeks without any. */
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

/** Returns the average number of payers per week. */
export async function weeksOfPayers(
  db: Db,
  scope: StatsScope,
  { from, to }: StatsSpan,
): Promise<WeekOfPayers[]> {
  const { rows } = await sql<WeekOfPayers>`select week::text, round(avg(payers))::int as payers from (
      select date_trunc('week', day)::date as week, day, sum(value) as payers from daily_stats
      where kind = 'payers' and day between ${from}::date and ${to}::date and ${ofTenant(scope, 'tenant_id')}
      group by 2
    ) days group by 1 order by 1`.execute(db)
  return rows
}

/** Returns the last count of payers in a span; undefined if there is none. */
export async function lastPayers(
  db: Db,
  scope: StatsScope,
  { from, to }: StatsSpan,
): Promise<number | undefined> {
  const { rows } = await sql<{ payers: number }>`
    with counted as (select max(day) as day from daily_stats
      where kind = 'payers' and day between ${from}::date and ${to}::date)
    select coalesce((select sum(value) from daily_stats where kind = 'payers' and day = counted.day
      and ${ofTenant(scope, 'tenant_id')}), 0)::int as payers from counted where day is not null`.execute(db)
  return rows[0]?.payers
}

export interface Slice {
  readonly label: string
  readonly value: number
}

/**
 * Wallets with each discount of a tenant, except those of deleted owners: counted from the discount index
 * minus the few deleted owners, so that not every owner is read.
 */
const discounted = (scope: StatsScope) => sql`
  with given as (select discount_id, count(*) as value from wallets where discount_id is not null group by 1),
    gone as (select w.discount_id, count(*) as value from users o join wallets w on w.user_id = o.id
      where o.deleted_at is not null and w.discount_id is not null group by 1),
    used as (select d.discount, d.code, given.value - coalesce(gone.value, 0) as value
      from given join discounts d on d.id = given.discount_id left join gone on gone.discount_id = given.discount_id
      where ${ofTenant(scope, 'd.tenant_id')})`

/** Counts wallets by discount percentage. */
export async function walletsByDiscount(db: Db, scope: StatsScope): Promise<Slice[]> {
  const { rows } =
    await sql<Slice>`${discounted(scope)} select discount || '%' as label, sum(value)::int as value
    from used where discount > 0 and value > 0 group by discount order by discount`.execute(db)
  return rows
}

/** Counts wallets by discount code. */
export async function walletsByVoucher(db: Db, scope: StatsScope): Promise<Slice[]> {
  const { rows } = await sql<Slice>`${discounted(scope)} select code as label, sum(value)::int as value
    from used where code is not null and value > 0 group by code order by 2 desc, 1`.execute(db)
  return rows
}

/** Returns the latest count of customers by country code, most first. */
export async function usersByCountry(db: Db): Promise<Slice[]> {
  const { rows } = await sql<Slice>`select label, sum(value)::int as value from daily_stats
    where kind = 'country' group by label order by 2 desc, 1`.execute(db)
  return rows
}

/** Counts users who aren't deleted, in total and by state; one may have several. */
export async function usersByState(db: Db): Promise<Record<string, number>> {
  const has = (bit: number) => sql`count(*) filter (where status & ${bit}::int <> 0)`
  const { rows } = await sql<Record<string, number>>`select count(*) as "all",
    ${has(userStatus.suspended)} as suspended, ${has(userStatus.degraded)} as degraded,
    ${has(userStatus.restricted)} as restricted from users where deleted_at is null`.execute(db)
  return rows[0] ?? {}
}

/** Counts accounts created after a moment. */
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
