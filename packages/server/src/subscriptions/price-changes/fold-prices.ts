import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Makes coming prices the prices of entitlements whose next period begins at or after their day. Everything before is
 * charged by then, so that no charge can see the price of another period. Call it in the transaction that holds the
 * wallets.
 */
export async function foldPrices(trx: Db, walletIds: readonly string[], now: Date): Promise<void> {
  // nothing is announced most of the time; the look costs one page of an empty index
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
