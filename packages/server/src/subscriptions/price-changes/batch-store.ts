import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { latestPrice, type PriceChangeRow } from './store.ts'

/** Returns the next wallets with subscriptions to a change's SKU, by id. */
export async function walletsOfSku(
  db: Db,
  skuId: string,
  from: string | undefined,
  limit: number,
): Promise<string[]> {
  const beyond = from === undefined ? sql`` : sql`and wallet_id > ${from}::uuid`
  const { rows } = await sql<{ walletId: string }>`select wallet_id from entitlements
    where sku_id = ${skuId}::uuid and deleted_at is null ${beyond}
    group by wallet_id order by wallet_id limit ${limit}`.execute(db)
  return rows.map((row) => row.walletId)
}

/** Locks those of the wallets that aren't locked, until the transaction ends. */
export async function holdFreeWallets(trx: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from wallets where id = any(${ids}::uuid[])
    order by id for no key update skip locked`.execute(trx)
  return rows.map((row) => row.id)
}

/** Locks a wallet until the transaction ends, waiting if necessary. */
export async function waitForWallet(trx: Db, id: string): Promise<void> {
  await trx.selectFrom('wallets').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/**
 * Sets the coming price of the wallets' subscriptions and stores the wallets with their monthly cost before
 * and after. Existing rows are kept. Returns the wallets whose people must be notified: those with
 * subscriptions not announced yet and no e-mail so far.
 */
export async function enrolWallets(
  trx: Db,
  change: PriceChangeRow,
  walletIds: readonly string[],
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<string[]> {
  const { rows } = await sql<{ walletId: string }>`with found as materialized (
      select e.id, e.wallet_id, e.fee, p.cost as old_cost, s.cost
      from entitlements e cross join lateral (select ${latestPrice(sql`e`)}::bigint as cost) p
        join price_change_steps s on s.change_id = ${change.id}::uuid and s.from_cost = p.cost
      where e.wallet_id = any(${walletIds}::uuid[]) and e.sku_id = ${change.skuId}::uuid and e.deleted_at is null
        and e.months = ${change.months} and e.created_at < ${change.effectiveAt}::timestamptz
        and not exists (select from price_change_units u
          where u.entitlement_id = e.id and u.change_id = ${change.id}::uuid)
    ), known as materialized (
      select wallet_id, since, told_at from price_change_wallets
      where change_id = ${change.id}::uuid and wallet_id = any(${walletIds}::uuid[])
    ), ordered as materialized (
      -- units ordered since the announcement already have their price, but their wallet may not be stored yet
      select u.entitlement_id as id, e.wallet_id, u.old_cost, u.cost from price_change_units u
        join entitlements e on e.id = u.entitlement_id
      where u.change_id = ${change.id}::uuid and e.wallet_id = any(${walletIds}::uuid[]) and e.deleted_at is null
    ), units as (
      insert into price_change_units (entitlement_id, change_id, since, old_cost, old_fee, cost, fee)
      select f.id, ${change.id}::uuid, coalesce(k.since, ${since}::timestamptz), f.old_cost, f.fee, f.cost,
        case when f.fee = ${change.oldFee} then ${change.fee}::bigint else f.fee end
      from found f left join known k on k.wallet_id = f.wallet_id
      on conflict do nothing
    ), events as (
      insert into event_log (id, tenant_id, wallet_id, object_type, object_id, event, data, created_at)
      select time_uuid(${now}), o.tenant_id, w.id, 'user', o.id, 'price.announced',
        ${eventData(change, sql`g`)}, ${now}::timestamptz
      from (select f.wallet_id, f.old_cost, f.cost, coalesce(k.since, ${since}::timestamptz) as since, count(*) as units
          from found f left join known k on k.wallet_id = f.wallet_id where f.cost <> f.old_cost group by 1, 2, 3, 4) g
        join wallets w on w.id = g.wallet_id join users o on o.id = w.user_id
    ), all_units as (
      select id, wallet_id, old_cost, cost from found union all select id, wallet_id, old_cost, cost from ordered
    ), monthly as materialized (
      select w.id as wallet_id, count(a.id)::int as units,
        sum((p.cost / e.months) * (100 - coalesce(d.discount, 0)) / 100)::bigint as before,
        sum((coalesce(a.cost, p.cost) / e.months) * (100 - coalesce(d.discount, 0)) / 100)::bigint as after
      from wallets w left join discounts d on d.id = w.discount_id
        join entitlements e on e.wallet_id = w.id and e.deleted_at is null
        left join all_units a on a.id = e.id
        cross join lateral (select case when u.entitlement_id is null then ${latestPrice(sql`e`)}::bigint
            else u.old_cost end as cost
          from (select) one left join price_change_units u
            on u.entitlement_id = e.id and u.change_id = ${change.id}::uuid) p
      where w.id = any(${walletIds}::uuid[]) and exists (select from all_units u where u.wallet_id = w.id)
      group by w.id
    ), written as (
      insert into price_change_wallets as c (change_id, wallet_id, since, units, prices, before, after, told_at)
      select ${change.id}::uuid, m.wallet_id,
        case when exists (select from found f where f.wallet_id = m.wallet_id) then ${since}::timestamptz
          else ${change.effectiveAt}::timestamptz end,
        m.units,
        (select jsonb_agg(jsonb_build_object('from', p.old_cost, 'to', p.cost, 'units', p.units) order by p.units desc)
          from (select old_cost, cost, count(*) as units from all_units a where a.wallet_id = m.wallet_id
            group by 1, 2) p),
        m.before, m.after,
        case when exists (select from found f where f.wallet_id = m.wallet_id and f.cost <> f.old_cost)
          then ${now}::timestamptz end
      from monthly m
      where exists (select from found f where f.wallet_id = m.wallet_id)
        or not exists (select from known k where k.wallet_id = m.wallet_id)
      on conflict (change_id, wallet_id) do update set units = excluded.units, prices = excluded.prices, before = excluded.before,
        after = excluded.after, told_at = coalesce(c.told_at, excluded.told_at)
      returning wallet_id, units, before, after, told_at
    ), counted as (
      update price_changes c set wallets = c.wallets + s.wallets, units = c.units + s.units, told = c.told + s.told,
        before = c.before + s.before, after = c.after + s.after
      from (select count(*) filter (where k.wallet_id is null) as wallets, sum(w.units - coalesce(o.units, 0)) as units,
          count(*) filter (where w.told_at is not null and k.told_at is null) as told,
          sum(w.before - coalesce(o.before, 0)) as before, sum(w.after - coalesce(o.after, 0)) as after
        from written w left join known k on k.wallet_id = w.wallet_id
          left join price_change_wallets o on o.change_id = ${change.id}::uuid and o.wallet_id = w.wallet_id
        having count(*) > 0) s
      where c.id = ${change.id}::uuid
    )
    select w.wallet_id from written w left join known k on k.wallet_id = w.wallet_id
    where w.told_at is not null and k.told_at is null order by 1`.execute(trx)
  return rows.map((row) => row.walletId)
}

/** The change as recorded in an account: one entry per replaced price. */
function eventData(change: PriceChangeRow, prices: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`jsonb_build_object('sku', ${change.skuTitle}::text, 'name', ${JSON.stringify(change.skuName)}::jsonb,
    'from', ${prices}.old_cost, 'to', ${prices}.cost, 'units', ${prices}.units, 'months', ${change.months}::int,
    'currency', ${change.currency}::text, 'date', to_char(${prices}.since at time zone 'UTC', 'YYYY-MM-DD'))`
}

/** Returns the next wallets of a due change that don't pay the new price yet. */
export async function walletsToApply(
  db: Db,
  changeId: string,
  now: Date,
  from: string | undefined,
  limit: number,
): Promise<string[]> {
  const beyond = from === undefined ? sql`` : sql`and wallet_id > ${from}::uuid`
  const { rows } = await sql<{ walletId: string }>`select wallet_id from price_change_wallets
    where change_id = ${changeId}::uuid and applied_at is null and since <= ${now}::timestamptz ${beyond}
    order by wallet_id limit ${limit}`.execute(db)
  return rows.map((row) => row.walletId)
}

/** Whether any wallets of a change don't pay the new price yet. */
export async function isWaiting(db: Db, changeId: string): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from price_change_wallets
    where change_id = ${changeId}::uuid and applied_at is null) as any`.execute(db)
  return rows[0]?.any === true
}

/** Records that wallets pay the new price from now on, also in their accounts' activity. */
export async function markApplied(
  trx: Db,
  change: PriceChangeRow,
  walletIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`with applied as (
      update price_change_wallets set applied_at = ${now}::timestamptz
      where change_id = ${change.id}::uuid and wallet_id = any(${walletIds}::uuid[]) and applied_at is null
      returning wallet_id
    ), counted as (
      update price_changes set applied = applied + (select count(*) from applied) where id = ${change.id}::uuid
    )
    insert into event_log (id, tenant_id, wallet_id, object_type, object_id, event, data, created_at)
    select time_uuid(${now}), o.tenant_id, w.id, 'user', o.id, 'price.applied', ${eventData(change, sql`g`)},
      ${now}::timestamptz
    from (select e.wallet_id, u.old_cost, u.cost, u.since, count(*) as units
        from price_change_units u join entitlements e on e.id = u.entitlement_id
        where u.change_id = ${change.id}::uuid and e.wallet_id in (select wallet_id from applied)
          and e.deleted_at is null and u.cost <> u.old_cost
        group by 1, 2, 3, 4) g
      join wallets w on w.id = g.wallet_id join users o on o.id = w.user_id`.execute(trx)
}

/** Returns the next wallets of a cancelled change that haven't been notified. */
export async function walletsToTellCancel(db: Db, changeId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('priceChangeWallets')
    .select('walletId')
    .where('changeId', '=', changeId)
    .where('cancelToldAt', 'is', null)
    .orderBy('walletId')
    .limit(limit)
    .execute()
  return rows.map((row) => row.walletId)
}

/** Removes the coming prices of wallets; returns those that had been notified of the change. */
export async function forgetPrices(
  trx: Db,
  change: PriceChangeRow,
  walletIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ walletId: string }>`with cancelled as (
      update price_change_wallets set cancel_told_at = ${now}::timestamptz
      where change_id = ${change.id}::uuid and wallet_id = any(${walletIds}::uuid[]) and cancel_told_at is null
      returning wallet_id, told_at
    ), forgotten as (
      delete from price_change_units u using entitlements e
      where u.change_id = ${change.id}::uuid and e.id = u.entitlement_id and e.wallet_id = any(${walletIds}::uuid[])
      returning e.wallet_id, u.old_cost, u.cost, u.since
    ), events as (
      insert into event_log (id, tenant_id, wallet_id, object_type, object_id, event, data, created_at)
      select time_uuid(${now}), o.tenant_id, w.id, 'user', o.id, 'price.cancelled', ${eventData(change, sql`g`)},
        ${now}::timestamptz
      from (select wallet_id, old_cost, cost, since, count(*) as units from forgotten where cost <> old_cost
          group by 1, 2, 3, 4) g
        join wallets w on w.id = g.wallet_id join users o on o.id = w.user_id
    )
    select wallet_id from cancelled where told_at is not null order by 1`.execute(trx)
  return rows.map((row) => row.walletId)
}

/** Removes the rest of a cancelled change, for wallets that weren't stored. */
export async function forgetRest(trx: Db, changeId: string): Promise<void> {
  await trx.deleteFrom('priceChangeUnits').where('changeId', '=', changeId).execute()
}
