import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { anchorDay } from '../../platform/months.ts'
import type { BillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { discountedPrice } from '../../subscriptions/discounted-price.ts'
import { comingPricesOf } from '../../subscriptions/price-changes/unit-store.ts'
import { expectedCharges } from '../charging/charge-store.ts'
import type { Outlook } from './outlook.ts'

interface Row {
  units: number
  cost: number
  months: number
  since: Date
  began: Date
  coming: readonly { since: string; cost: number }[] | null
}

/** Reads what decides how long the money of a wallet lasts; units of one price and day as one row. */
export async function readOutlook(
  db: Db,
  now: Date,
  wallet: { readonly id: string; readonly balance: number },
  facts: BillingFacts,
): Promise<Outlook> {
  const [due] = await expectedCharges(db, [wallet.id], { now })
  const trialSkus = [...(facts.trial?.skuIds ?? [])]
  // of what the day of the month depends on, the latest says as much as all
  const { rows } = await sql<Row>`select count(*) as units, cost, months, since, max(began) as began,
      coming::json
    from (
      select l.cost, ${comingPricesOf('l')}::text as coming, l.months, greatest(l.billed_until, t.ends) as since,
        case when t.ends > l.billed_until then t.ends else coalesce(l.counted_from, l.created_at) end as began
      from entitlements l cross join lateral (select case when l.sku_id = any(${trialSkus}::uuid[])
        then ${facts.trial?.end ?? null}::timestamptz end as ends) t
      where l.wallet_id = ${wallet.id} and l.deleted_at is null
    ) e
    where cost > 0 or coming is not null
    group by cost, months, coming, since, extract(day from began at time zone 'UTC')`.execute(db)
  return {
    now,
    balance: wallet.balance,
    pending: due?.cost ?? 0,
    groups: facts.isDegraded
      ? []
      : rows
          .map(({ began, coming, ...row }) => ({
            ...row,
            cost: discountedPrice(row.cost, facts.discount),
            ...(coming && {
              coming: coming.map(({ since, cost }) => ({
                since: new Date(since),
                cost: discountedPrice(cost, facts.discount),
              })),
            }),
            anchor: anchorDay(began, row.since),
          }))
          .filter(({ cost, coming }) => cost > 0 || coming?.some((price) => price.cost > 0)),
  }
}
