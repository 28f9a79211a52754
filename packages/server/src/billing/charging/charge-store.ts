import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { foldPrices } from '../../subscriptions/price-changes/unit-store.ts'
import { returnAgain } from '../../subscriptions/prices/period-cost.ts'

export interface ChargeTerms {
  readonly now: Date
  /** Also charges active units to the day; for settlements. */
  readonly toTheDay?: boolean
}

/** Accrued charges of a wallet in cents. */
export interface ChargedWallet {
  readonly walletId: string
  readonly cost: number
  readonly fee: number
  /** Units whose billed time advances. */
  readonly units: number
}

/**
 * What determines all charges in some wallets: discount, trial, degradation, the tenant's own wallet. A wallet
 * is as old as its account, regardless of its owner, so a trial doesn't restart with a new owner.
 */
const facts = (walletIds: readonly string[]): RawBuilder<unknown> => sql`facts as materialized (
    select w.id as wallet_id, o.id as owner_id, t.wallet_id as tenant_wallet, coalesce(d.discount, 0) as discount,
      o.status & ${userStatus.degraded}::int <> 0 as is_degraded, p.id as plan_id,
      case when p.free_months > 0 then add_months(w.created_at at time zone 'UTC', p.free_months,
        extract(day from w.created_at at time zone 'UTC')::int) at time zone 'UTC' end as trial_end
    from wallets w join users o on o.id = w.user_id join tenants t on t.id = o.tenant_id
      left join discounts d on d.id = w.discount_id
      left join user_settings s on s.user_id = o.id and s.key = 'plan_id'
      left join plans p on p.id::text = s.value
    where w.id = any(${walletIds}::uuid[])
  ), trial_skus as materialized (
    select distinct pp.plan_id, l.sku_id from plan_packages pp join package_skus l on l.package_id = pp.package_id
      join skus k on k.id = l.sku_id
    where k.handler <> 'Storage' and pp.plan_id in (select plan_id from facts where trial_end is not null)
  )`

/**
 * Charges of some wallets: one row per unit whose billed time advances, including units that ended before they
 * were fully billed. Each period costs the price in effect at its start; few units have a price change ahead,
 * so only they take the slow path.
 */
const charges = ({ now, toTheDay = false }: ChargeTerms): RawBuilder<unknown> => {
  const rest = sql`e.months, e.created_at, e.counted_from, e.billed_until, e.deleted_at, ${now}::timestamptz,
    f.discount, case when t.sku_id is not null then f.trial_end end, f.is_degraded, ${toTheDay}, a.used`
  return sql`charges as materialized (
    select e.id, f.wallet_id, c.cost, c.fee, c.since, c.until,
      nullif(c.counted, coalesce(e.counted_from, e.created_at)) as counted_from
    from facts f cross join lateral (
        select * from entitlements l where l.wallet_id = f.wallet_id and l.deleted_at is null
        union all
        select * from entitlements g where g.wallet_id = f.wallet_id and g.deleted_at is not null
          and g.billed_until < g.deleted_at
      ) e
      left join trial_skus t on t.plan_id = f.plan_id and t.sku_id = e.sku_id
      cross join lateral (select coalesce(e.deleted_at, ${now}::timestamptz) - e.created_at < interval '14 days'
        and (e.deleted_at is not null or ${toTheDay}) and exists (
          select from entitlements r where r.wallet_id = e.wallet_id and r.sku_id = e.sku_id
            and r.deleted_at is not null and r.deleted_at <= e.created_at and r.id <> e.id
            and r.deleted_at > e.created_at - make_interval(days => ${returnAgain}::int)
            and r.deleted_at - r.created_at < interval '14 days') as used) a
      cross join lateral (select exists (
        select from price_change_units u where u.entitlement_id = e.id and u.folded_at is null) as changes) n
      cross join lateral (
        select * from period_cost(e.cost, e.fee, ${rest}) where not n.changes
        union all
        select * from cost_over_prices(e.id, e.cost, e.fee, ${rest}) where n.changes
      ) c
    where c.until > e.billed_until
  )`
}

/** Computes what some wallets would be charged now. Wallets without charges are omitted. */
export async function expectedCharges(
  db: Db,
  walletIds: readonly string[],
  terms: ChargeTerms,
): Promise<ChargedWallet[]> {
  const { rows } = await sql<ChargedWallet>`with ${facts(walletIds)}, ${charges(terms)}
    select wallet_id as "walletId", sum(cost)::bigint as cost, sum(fee)::bigint as fee, count(*) as units
    from charges group by wallet_id order by wallet_id`.execute(db)
  return rows
}

/**
 * Charges some wallets whose rows are locked by the transaction: one entry per wallet with charges, one row
 * per billed period, and the profit in the wallet of the owner's tenant. Units without cost and fee only
 * advance.
 */
export async function writeCharges(
  trx: Db,
  walletIds: readonly string[],
  terms: ChargeTerms,
): Promise<ChargedWallet[]> {
  const { now } = terms
  // a period belongs to one charge, so any of its periods identifies a charge; profits are booked in the order
  // in which all writers lock the tenants' wallets
  const { rows } =
    await sql<ChargedWallet>`with ${facts(walletIds)}, ${charges(terms)}, totals as materialized (
      select wallet_id, sum(cost) as cost, sum(fee) as fee, count(*) as units, time_uuid(${now}) as entry_id,
        time_uuid(${now}) as profit_id,
        min(id::text || '@' || (extract(epoch from since) * 1000)::bigint)
          filter (where cost > 0 or fee > 0) as name
      from charges group by wallet_id
    ), debits as (
      insert into ledger_entries (id, wallet_id, type, amount, account, key, description, parameters, created_at)
      select entry_id, wallet_id, 'debit', -cost, 'revenue', 'charge:' || name, 'charge', '{}', ${now}
      from totals where cost > 0 order by wallet_id
    ), profits as (
      insert into ledger_entries (id, wallet_id, type, amount, account, key, description, parameters, created_at)
      select t.profit_id, f.tenant_wallet, case when t.cost > t.fee then 'credit' else 'debit' end,
        t.cost - t.fee, 'commissions', 'profit:' || t.name, 'profit',
        -- the ID, which may stay in the chain when the person is purged
        json_build_object('customer', f.owner_id)::text, ${now}
      from totals t join facts f on f.wallet_id = t.wallet_id
      where f.tenant_wallet is not null and t.cost <> t.fee order by f.tenant_wallet, t.wallet_id
    ), periods as (
      insert into billed_periods (entitlement_id, since, until, cost, fee, entry_id, profit_id, counted_from)
      select c.id, c.since, c.until, c.cost, c.fee, case when c.cost > 0 then t.entry_id end,
        case when f.tenant_wallet is not null and t.cost <> t.fee then t.profit_id end, c.counted_from
      from charges c join totals t on t.wallet_id = c.wallet_id join facts f on f.wallet_id = c.wallet_id
      where c.cost > 0 or c.fee > 0
    ), others as (
      update entitlements e set billed_until = c.until, counted_from = coalesce(c.counted_from, e.counted_from)
      from charges c
      where e.id = c.id and c.cost = 0 and c.fee = 0
    )
    select wallet_id as "walletId", cost::bigint as cost, fee::bigint as fee, units from totals
    order by wallet_id`.execute(trx)
  await foldPrices(trx, walletIds, now)
  await sql`update wallet_charging c set due_at = d.due_at from unnest(${walletIds}::uuid[]) w (id)
    left join lateral (select min(next_due(coalesce(counted_from, created_at), billed_until, deleted_at, months))
        as due_at
      from entitlements where wallet_id = w.id and deleted_at is null) d on true
    where c.wallet_id = w.id`.execute(trx)
  return rows
}

/** A position in the processing order of due wallets. */
export interface DuePlace {
  readonly dueAt: Date
  readonly walletId: string
}

/**
 * Selects and locks the next due wallets. Skips locked ones: they are being charged by another run, or
 * changed, and stay due.
 */
export async function takeDueWallets(
  trx: Db,
  now: Date,
  from: DuePlace | undefined,
  limit: number,
): Promise<DuePlace[]> {
  // look up the batch by keys, regardless of table size
  await sql`set local enable_seqscan = off`.execute(trx)
  const beyond =
    from === undefined ? sql`` : sql`and (c.due_at, c.wallet_id) > (${from.dueAt}, ${from.walletId})`
  const { rows } = await sql<{
    walletId: string
    dueAt: Date
  }>`select c.wallet_id as "walletId", c.due_at as "dueAt"
    from wallet_charging c join wallets w on w.id = c.wallet_id
    where c.due_at <= ${now} ${beyond}
    order by c.due_at, c.wallet_id limit ${limit} for no key update of w skip locked`.execute(trx)
  return rows
}

/** Wallets due at the given time, in the order of charging. */
export async function dueWallets(
  db: Db,
  now: Date,
  from: DuePlace | undefined,
  limit: number,
): Promise<DuePlace[]> {
  const beyond = from === undefined ? sql`` : sql`and (due_at, wallet_id) > (${from.dueAt}, ${from.walletId})`
  const { rows } = await sql<DuePlace>`select wallet_id as "walletId", due_at as "dueAt" from wallet_charging
    where due_at <= ${now} ${beyond} order by due_at, wallet_id limit ${limit}`.execute(db)
  return rows
}
