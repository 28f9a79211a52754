import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Days that are recounted each night: a restored user doesn't count as deleted. */
const recounted = 60

/** Whether user `u` signed up with their own account and is a customer. */
export const isSignup = sql`u.role is null
  and exists (select from wallets w where w.id = u.wallet_id and w.user_id = u.id)`

/** Locks the statistics until the transaction ends, so that concurrent servers don't count twice. */
export async function lockDailyStats(trx: Db): Promise<void> {
  await sql`lock table daily_stats in share row exclusive mode`.execute(trx)
}

export async function collectUsers(trx: Db, kind: 'created' | 'deleted', today: string): Promise<void> {
  const column = sql.ref(`${kind}_at`)
  const since = await countedSince(trx, kind)
  await sql`delete from daily_stats where kind = ${kind} and day >= ${since}::date`.execute(trx)
  await sql`insert into daily_stats (kind, tenant_id, day, value)
    select ${kind}, tenant_id, (${column} at time zone 'UTC')::date, count(*) from users
    where ${column} >= ${since}::timestamptz and ${column} < ${today}::date::timestamp at time zone 'UTC'
    group by 2, 3`.execute(trx)
  await noteCounted(trx, kind, today)
}

/** Counts accounts by the day they were created, regardless of their later state. */
export async function collectSignups(trx: Db, today: string): Promise<void> {
  const since = await countedSince(trx, 'signups')
  await sql`delete from daily_stats where kind = 'signups' and day >= ${since}::date`.execute(trx)
  await sql`insert into daily_stats (kind, tenant_id, day, value)
    select 'signups', u.tenant_id, (u.created_at at time zone 'UTC')::date, count(*) from users u
    where u.created_at >= ${since}::timestamptz and u.created_at < ${today}::date::timestamp at time zone 'UTC'
      and ${isSignup}
    group by 2, 3`.execute(trx)
  await noteCounted(trx, 'signups', today)
}

/** Returns the first day to count or recount. */
async function countedSince(trx: Db, kind: string): Promise<string> {
  const { rows } = await sql<{ since: string | null }>`select
    (max(day) - ${recounted}::int)::text as since from daily_stats where kind = ${kind}`.execute(trx)
  return rows[0]?.since ?? '-infinity'
}

/** Records up to which day was counted, even if nothing happened. */
async function noteCounted(trx: Db, kind: string, today: string): Promise<void> {
  await sql`insert into daily_stats (kind, tenant_id, day, value) values (${kind}, 0, ${today}::date - 1, 0)
    on conflict do nothing`.execute(trx)
}

/** Sums customers' payments by wallet currency; only recent days can still change. */
export async function collectIncome(trx: Db, today: string): Promise<void> {
  const since = await countedSince(trx, 'income')
  await sql`delete from daily_stats where kind = 'income' and day >= ${since}::date`.execute(trx)
  await sql`insert into daily_stats (kind, tenant_id, day, label, value)
    select 'income', o.tenant_id, (p.paid_at at time zone 'UTC')::date, w.currency, sum(p.credit_amount)
    from payments p join wallets w on w.id = p.wallet_id join users o on o.id = w.user_id
    where p.status = 'paid' and p.type in ('oneoff', 'recurring')
      and p.paid_at >= ${since}::timestamptz and p.paid_at < ${today}::date::timestamp at time zone 'UTC'
    group by 2, 3, 4`.execute(trx)
  await noteCounted(trx, 'income', today)
}

/**
 * Counts payers: customers who aren't deleted, have services that are neither free nor degraded, and have paid
 * before.
 */
export async function collectPayers(trx: Db, of: string): Promise<void> {
  await sql`delete from daily_stats where kind = 'payers' and day = ${of}::date`.execute(trx)
  await sql`insert into daily_stats (kind, tenant_id, day, value)
    select 'payers', o.tenant_id, ${of}::date, count(distinct w.id) from wallets w join users o on o.id = w.user_id
      left join discounts d on d.id = w.discount_id
    where o.deleted_at is null and o.role is null and o.status & ${userStatus.degraded}::int = 0
      and coalesce(d.discount, 0) < 100 and exists (select from payments p where p.wallet_id = w.id
        and p.status = 'paid' and p.type in ('oneoff', 'recurring') and p.amount > 0)
    group by 2`.execute(trx)
}

/** Only the latest count per country is kept. */
export async function collectCountries(trx: Db, of: string): Promise<void> {
  const { degraded, suspended } = userStatus
  await sql`delete from daily_stats where kind = 'country'`.execute(trx)
  await sql`insert into daily_stats (kind, tenant_id, day, label, value)
    select 'country', u.tenant_id, ${of}::date, upper(s.value), count(*)
    from user_settings s join users u on u.id = s.user_id
    where s.key = 'country' and u.deleted_at is null and u.role is null
      and u.status & ${degraded | suspended}::int = 0
    group by 2, 4`.execute(trx)
}
