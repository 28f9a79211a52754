import { discountedPrice } from '@gatehouse/contract/price'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { BillingFacts } from '../../subscriptions/billing-facts.ts'
import { anchorDay } from '../../subscriptions/months.ts'
import { expectedCharges } from '../charging/charge-store.ts'
import type { Outlook } from './outlook.ts'

interface Row {
  units: number
  cost: number
  months: number
  since: Date
  began: Date
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
  const { rows } = await sql<Row>`select count(*) as units, cost, months, since, max(created_at) as began
    from (
      select cost, months, created_at, case when sku_id = any(${trialSkus}::uuid[])
        then greatest(billed_until, ${facts.trial?.end ?? null}::timestamptz) else billed_until end as since
      from entitlements where wallet_id = ${wallet.id} and deleted_at is null and cost > 0
    ) e
    group by cost, months, since, extract(day from created_at at time zone 'UTC')`.execute(db)
  return {
    now,
    balance: wallet.balance,
    pending: due?.cost ?? 0,
    groups: facts.isDegraded
      ? []
      : rows
          .map(({ began, ...row }) => ({
            ...row,
            cost: discountedPrice(row.cost, facts.discount),
            anchor: anchorDay(began, row.since),
          }))
          .filter(({ cost }) => cost > 0),
  }
}
