import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { PriceStep } from './rules.ts'
import { latestPrice } from './store.ts'

export interface WalletLine {
  readonly walletId: string
  readonly userId: number
  readonly email: string
  readonly units: number
  /** Cents per month for the whole wallet, after the discount, rounded down per unit as in billing. */
  readonly before: number
  readonly after: number
}

interface Totals {
  readonly wallets: number
  readonly units: number
  readonly before: number
  readonly after: number
}

interface Concerned {
  readonly skuId: string
  readonly months: number
  readonly steps: readonly PriceStep[]
}

/**
 * Returns wallets whose prices would change, largest differences first, and the totals, in a single statement.
 */
export async function previewWallets(
  db: Db,
  { skuId, months, steps }: Concerned,
  part: { readonly limit: number; readonly offset: number },
): Promise<{ readonly lines: WalletLine[]; readonly totals: Totals }> {
  const { rows } = await sql<Totals & { lines: WalletLine[] | null }>`with steps as (
      select * from unnest(${steps.map((step) => step.from)}::bigint[], ${steps.map((step) => step.to)}::bigint[])
        as s(from_cost, cost)
    ), concerned as materialized (
      select e.id, e.wallet_id, s.cost from entitlements e join steps s on s.from_cost = ${latestPrice(sql`e`)}
      where e.sku_id = ${skuId}::uuid and e.deleted_at is null and e.months = ${months}
    ), wallets_of as materialized (
      select w.id, w.user_id, 100 - coalesce(d.discount, 0) as percent
      from wallets w left join discounts d on d.id = w.discount_id
      where w.id in (select wallet_id from concerned)
    ), monthly as materialized (
      select w.id as wallet_id, w.user_id, count(c.id)::int as units,
        sum((p.cost / e.months) * w.percent / 100)::bigint as before,
        sum((coalesce(c.cost, p.cost) / e.months) * w.percent / 100)::bigint as after
      from wallets_of w join entitlements e on e.wallet_id = w.id and e.deleted_at is null
        left join concerned c on c.id = e.id
        cross join lateral (select ${latestPrice(sql`e`)}::bigint as cost) p
      group by w.id, w.user_id
    ), page as (
      select * from monthly order by abs(after - before) desc, wallet_id limit ${part.limit} offset ${part.offset}
    )
    select count(*)::int as wallets, coalesce(sum(units), 0)::int as units, coalesce(sum(before), 0)::bigint as before,
      coalesce(sum(after), 0)::bigint as after,
      (select json_agg(json_build_object('walletId', p.wallet_id, 'userId', o.id, 'email', o.email, 'units', p.units,
          'before', p.before, 'after', p.after) order by abs(p.after - p.before) desc, p.wallet_id)
        from page p join users o on o.id = p.user_id) as lines
    from monthly`.execute(db)
  const { lines, ...totals } = rows[0] ?? { lines: null, wallets: 0, units: 0, before: 0, after: 0 }
  return { lines: lines ?? [], totals }
}

/**
 * Returns prices of existing subscriptions that differ from the catalogue, most frequent first, without free
 * ones.
 */
export async function individualPrices(
  db: Db,
  sku: { readonly id: string; readonly cost: number; readonly months: number },
): Promise<{ readonly cost: number; readonly subscriptions: number; readonly wallets: number }[]> {
  const { rows } = await sql<{ cost: number; subscriptions: number; wallets: number }>`select p.cost,
      count(*)::int as subscriptions, count(distinct e.wallet_id)::int as wallets
    from entitlements e cross join lateral (select ${latestPrice(sql`e`)}::bigint as cost) p
    where e.sku_id = ${sku.id}::uuid and e.deleted_at is null and e.months = ${sku.months}
      and p.cost > 0 and p.cost <> ${sku.cost}
    group by p.cost order by count(*) desc, p.cost limit 50`.execute(db)
  return rows
}

/** Returns the wallets of a stored change, largest differences first. */
export async function concernedWallets(
  db: Db,
  changeId: string,
  part: { readonly limit: number; readonly offset: number },
): Promise<WalletLine[]> {
  const { rows } =
    await sql<WalletLine>`select p.wallet_id, o.id as user_id, o.email, p.units, p.before, p.after
    from price_change_wallets p join wallets w on w.id = p.wallet_id join users o on o.id = w.user_id
    where p.change_id = ${changeId}::uuid
    order by abs(p.after - p.before) desc, p.wallet_id limit ${part.limit} offset ${part.offset}`.execute(db)
  return rows
}
