import type { Db } from '../../platform/db/database.ts'
import { anchorDay } from '../../platform/months.ts'
import type { BillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { discountedPrice } from '../../subscriptions/prices/discounted-price.ts'
import { expectedCharges } from '../charging/charge-store.ts'
import type { Outlook } from './outlook.ts'
import { pricedUnits } from './wallet-store.ts'

/**
 * Reads everything that determines how long a wallet's balance lasts; units with the same price and dates are
 * grouped.
 */
export async function readOutlook(
  db: Db,
  now: Date,
  wallet: { readonly id: string; readonly balance: number },
  facts: BillingFacts,
): Promise<Outlook> {
  const [due] = await expectedCharges(db, [wallet.id], { now })
  const rows = await pricedUnits(db, wallet.id, facts.trial)
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
