import type { Settlement } from '@gatehouse/contract/staff/tenants'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

interface Line {
  userId: number
  email: string
  charged: number
  profit: number
}

/** Whether a text is a month, `YYYY-MM`. */
export function isPeriod(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
}

/**
 * Returns a tenant's earnings in a month per customer, from the ledger: what was charged to the customer, and
 * what the same charge added to or took from the tenant's wallet. The difference is fees.
 */
export async function readSettlement(
  db: Db,
  tenant: { readonly id: number; readonly walletId: string | null },
  period: string,
  currency: string,
): Promise<Settlement> {
  const { rows } = await sql<Line>`with bounds as (
      select (${`${period}-01`}::date)::timestamp at time zone 'UTC' as since,
        (${`${period}-01`}::date + interval '1 month') at time zone 'UTC' as until
    ), charges as (
      select o.id as user_id, o.email, -e.amount as charged, substr(e.key, 8) as name
      from users o join wallets w on w.user_id = o.id join ledger_entries e on e.wallet_id = w.id, bounds b
      where o.tenant_id = ${tenant.id} and o.role is null and e.description = 'charge'
        and e.created_at >= b.since and e.created_at < b.until
    ), profits as (
      -- older entries name the customer by address, newer ones by id
      select e.amount as profit, substr(e.key, 8) as name, e.parameters::json->>'user' as email,
        coalesce((e.parameters::json->>'customer')::bigint, k.id) as customer
      from ledger_entries e left join users k on k.email = e.parameters::json->>'user' cross join bounds b where e.wallet_id = ${tenant.walletId}::uuid and e.account = 'commissions'
        and e.created_at >= b.since and e.created_at < b.until
    )
    select coalesce(c.user_id, p.customer)::float8 as user_id, coalesce(c.email, u.email, p.email) as email,
      coalesce(sum(c.charged), 0)::float8 as charged, coalesce(sum(p.profit), 0)::float8 as profit
    from charges c full join profits p on p.name = c.name left join users u on u.id = p.customer
    group by 1, 2 order by 2`.execute(db)
  const lines = rows.map(({ userId, email, charged, profit }) => ({
    userId: userId ?? 0,
    email,
    charged,
    fees: charged - profit,
    profit,
  }))
  const sum = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((total, line) => total + of(line), 0)
  return {
    period,
    currency,
    charged: sum((line) => line.charged),
    fees: sum((line) => line.fees),
    profit: sum((line) => line.profit),
    lines,
  }
}

/** Months with payments to or from a tenant's wallet for its customers, newest first. */
export async function settlementPeriods(
  db: Db,
  walletId: string | null,
  part: { readonly limit: number; readonly offset: number },
): Promise<string[]> {
  const { rows } = await sql<{ period: string }>`select distinct
      to_char(created_at at time zone 'UTC', 'YYYY-MM') as period
    from ledger_entries where wallet_id = ${walletId}::uuid and account = 'commissions'
    order by 1 desc limit ${part.limit} offset ${part.offset}`.execute(db)
  return rows.map((row) => row.period)
}
