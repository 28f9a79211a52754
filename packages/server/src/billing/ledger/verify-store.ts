import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Maximum places listed per finding. */
const named = 5

/** Each query returns a row with `place` for every inconsistency. */
export const checks: Readonly<Record<string, RawBuilder<{ place: string }>>> = {
  'balance is not the sum of the postings': sql`select 'wallet ' || w.id as place
    from wallets w left join (
      select wallet_id, sum(amount) as amount from ledger_postings where wallet_id is not null group by wallet_id
    ) p on p.wallet_id = w.id
    where w.balance <> coalesce(p.amount, 0)`,
  'postings of an entry do not sum to zero or are not its own': sql`select 'entry ' || e.id as place
    from ledger_entries e left join (
      select entry_id, sum(amount) as total, count(*) as postings,
        sum(amount) filter (where account = 'wallet') as amount from ledger_postings group by entry_id
    ) p on p.entry_id = e.id
    where p.total is distinct from 0 or p.postings <> 2 or p.amount is distinct from e.amount`,
  'chain is broken': sql`select 'entry ' || (c.e).id as place from (
      select e, lag(hash) over chain as previous, lag(balance, 1, 0::bigint) over chain as before,
        row_number() over chain as place
      from ledger_entries e window chain as (partition by wallet_id order by number)
    ) c
    where (c.e).number <> c.place or (c.e).balance <> c.before + (c.e).amount
      or (c.e).hash is distinct from ledger_hash(c.e, c.previous)`,
  'last entry differs from the balance': sql`select 'wallet ' || w.id as place from wallets w join (
      select distinct on (wallet_id) wallet_id, balance from ledger_entries order by wallet_id, number desc
    ) e on e.wallet_id = w.id
    where e.balance <> w.balance`,
  'billed periods overlap': sql`select 'entitlement ' || entitlement_id as place from (
      select entitlement_id, until, lead(since) over (partition by entitlement_id order by since) as next
      from billed_periods
    ) p where next < until`,
  'billed periods extend beyond the entitlement': sql`select 'entitlement ' || p.entitlement_id as place
    from (select entitlement_id, max(until) as until from billed_periods group by entitlement_id) p
    left join entitlements e on e.id = p.entitlement_id
    where e.billed_until is null or e.billed_until < p.until`,
  'charge is not the sum of its periods': sql`select 'entry ' || e.id as place
    from (select id, amount from ledger_entries where description = 'charge') e
    full join (
      select entry_id, sum(cost) as cost from billed_periods where entry_id is not null group by entry_id
    ) p on p.entry_id = e.id
    where e.amount is distinct from -p.cost`,
  // periods written before profit_id existed are found through the period in the entry's key
  'profit differs from its periods': sql`select 'entry ' || coalesce(e.id, p.profit_id) as place
    from (select id, amount, key from ledger_entries where description = 'profit') e
    full join (
      select profit_id, sum(cost - fee) as profit from billed_periods where profit_id is not null group by profit_id
    ) p on p.profit_id = e.id
    where e.id is null or p.profit <> e.amount
      or p.profit_id is null and not exists (
        select from billed_periods b where b.entitlement_id::text = substring(e.key from '^profit:(.*)@')
          and (extract(epoch from b.since) * 1000)::bigint::text = substring(e.key from '@(.*)$'))`,
  'payment and its credit differ': sql`select coalesce('payment ' || p.id, 'entry ' || e.id) as place
    from (select id, wallet_id, credit_amount from payments
      where status = 'paid' and refund_of is null and credit_amount <> 0) p
    full join (
      select id, wallet_id, amount, substring(key from 9) as payment_id from ledger_entries
      where key like 'payment:%' and type = 'credit' and description in ('payment', 'auto-payment')
    ) e on e.payment_id = p.id
    where p.wallet_id is distinct from e.wallet_id or p.credit_amount is distinct from e.amount`,
  'refunds and chargebacks differ from what was booked': sql`select 'wallet ' || coalesce(p.wallet_id, e.wallet_id) as place
    from (
      select wallet_id, sum(credit_amount) as amount, count(*) as number from payments
      where status = 'paid' and refund_of is not null and credit_amount <> 0 group by wallet_id
    ) p
    full join (
      select wallet_id, sum(amount) as amount, count(*) as number from ledger_entries
      where key like 'payment:%' and description not in ('payment', 'auto-payment') group by wallet_id
    ) e on e.wallet_id = p.wallet_id
    where p.amount is distinct from e.amount or p.number is distinct from e.number`,
  'receipt is not the sum of its payments': sql`select 'receipt ' || r.number as place
    from receipts r left join (
      select receipt_id, sum(amount) as amount from payments where receipt_id is not null group by receipt_id
    ) p on p.receipt_id = r.id
    where p.amount is distinct from r.amount`,
  'debt does not match the balance': sql`select 'wallet ' || coalesce(w.id, d.wallet_id) as place
    from (select id from wallets where balance < 0) w full join wallet_debts d on d.wallet_id = w.id
    where w.id is null or d.wallet_id is null`,
  'wallet would be charged too late': sql`select 'wallet ' || e.wallet_id as place from (
      select wallet_id, min(next_due(coalesce(counted_from, created_at), billed_until, deleted_at, months)) as due_at
      from entitlements group by wallet_id
    ) e left join wallet_charging c on c.wallet_id = e.wallet_id
    where e.due_at is not null and (c.due_at is null or c.due_at > e.due_at)`,
}

/** Number of inconsistencies found by a check, with some of the places. */
export async function countWrong(trx: Db, places: RawBuilder<{ place: string }>) {
  const { rows } = await sql<{ count: number; samples: string[] }>`with wrong as materialized (${places})
    select count(*) as count, array(select place from wrong order by place limit ${named}) as samples
    from wrong`.execute(trx)
  return rows[0]
}

/** Disables the statement timeout of a transaction and raises its sort memory. */
export async function liftLimits(trx: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx)
  await sql`set local work_mem = '64MB'`.execute(trx)
}
