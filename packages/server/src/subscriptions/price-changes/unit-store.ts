import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Prices of later periods from the database; null if none. */
export type StoredPrices = readonly { since: string; cost: number; fee: number }[] | null

/** Prices of an entitlement's later periods, in chronological order. */
export function comingPricesOf(entitlements: string): RawBuilder<StoredPrices> {
  return sql`(select json_agg(json_build_object('since', u.since, 'cost', u.cost, 'fee', u.fee)
      order by u.since, u.change_id)
    from price_change_units u join price_changes c on c.id = u.change_id
    where u.entitlement_id = ${sql.ref(`${entitlements}.id`)} and u.folded_at is null and c.state <> 'cancelled')`
}

export const comingPrices: AliasedRawBuilder<StoredPrices, 'coming'> =
  comingPricesOf('entitlements').as('coming')

/**
 * Gives new units the coming price of their SKU's announced change, since customers who order before its
 * effective date were shown it. Call it in the transaction that created them.
 */
export async function enrolNewUnits(trx: Db, now: Date, ids: readonly string[]): Promise<void> {
  await sql`insert into price_change_units (entitlement_id, change_id, since, old_cost, old_fee, cost, fee)
    select e.id, c.id, greatest(c.effective_at, w.since), e.cost, e.fee, s.cost,
      case when e.fee = c.old_fee then c.fee else e.fee end
    from entitlements e join price_changes c on c.sku_id = e.sku_id and c.months = e.months
      join price_change_steps s on s.change_id = c.id and s.from_cost = e.cost
      left join price_change_wallets w on w.change_id = c.id and w.wallet_id = e.wallet_id
    where e.id = any(${ids}::uuid[]) and c.state in ('scheduled', 'announced')
      and c.effective_at > ${now}::timestamptz
    on conflict do nothing`.execute(trx)
}

/**
 * Makes coming prices the current prices of entitlements whose next period begins on or after the effective
 * date. Everything before is charged by then, so no charge uses the price of another period. Call it in the
 * transaction that locks the wallets.
 */
export async function foldPrices(trx: Db, walletIds: readonly string[], now: Date): Promise<void> {
  // usually nothing is announced, and this check reads one page of an empty index
  const { rows } = await sql<{ any: boolean }>`select exists (
    select from price_change_units where folded_at is null) as any`.execute(trx)
  if (rows[0]?.any !== true) return
  await sql`with due as materialized (
      select u.entitlement_id, u.change_id, u.since, u.cost, u.fee
      from entitlements e join price_change_units u on u.entitlement_id = e.id and u.folded_at is null
        join price_changes c on c.id = u.change_id
      where e.wallet_id = any(${walletIds}::uuid[]) and c.state <> 'cancelled' and u.since <= e.billed_until
    ), latest as (
      select distinct on (entitlement_id) entitlement_id, cost, fee from due
      order by entitlement_id, since desc, change_id desc
    ), priced as (
      update entitlements e set cost = l.cost, fee = l.fee from latest l
      where e.id = l.entitlement_id and (e.cost, e.fee) is distinct from (l.cost, l.fee)
    )
    update price_change_units u set folded_at = ${now} from due d
    where u.entitlement_id = d.entitlement_id and u.change_id = d.change_id`.execute(trx)
}
