import type { ColumnType, Generated } from 'kysely'

/** A new price of a SKU for subscriptions that exist. Amounts in cents for `months`. */
export interface PriceChangeTable {
  id: string
  tenant_id: number
  sku_id: string
  /** Of the catalogue when it was scheduled. */
  old_cost: number
  cost: number
  old_fee: number
  fee: number
  months: number
  currency: string
  /** When new subscriptions cost the new price. */
  new_subscriptions: 'at-once' | 'same-date'
  effective_at: Date
  /** Days that customers are told ahead; 0: nobody pays more. */
  notice_days: number
  /** For customers, by language. */
  reason: ColumnType<Record<string, string>, string, never>
  state: Generated<'scheduled' | 'announced' | 'applied' | 'cancelled'>
  /** Sums over its wallets. */
  wallets: Generated<number>
  units: Generated<number>
  told: Generated<number>
  applied: Generated<number>
  before: Generated<number>
  after: Generated<number>
  created_by: number | null
  creator_email: string | null
  created_at: Date
  announced_at: ColumnType<Date | null, never, Date>
  applied_at: ColumnType<Date | null, never, Date>
  cancelled_at: ColumnType<Date | null, never, Date>
  canceller_email: ColumnType<string | null, never, string | null>
  cancel_told_at: ColumnType<Date | null, never, Date>
}

/** Which price of a subscription is replaced by which. */
export interface PriceChangeStepTable {
  change_id: string
  from_cost: number
  cost: number
}

/** A wallet that a price change concerns. */
export interface PriceChangeWalletTable {
  change_id: string
  wallet_id: string
  since: Date
  units: number
  prices: { from: number; to: number; units: number }[]
  /** Cents a month of the whole wallet after the discount. */
  before: number
  after: number
  told_at: Date | null
  applied_at: Date | null
  cancel_told_at: Date | null
}

/** The coming price of one entitlement. */
export interface PriceChangeUnitTable {
  entitlement_id: string
  change_id: string
  since: Date
  old_cost: number
  old_fee: number
  cost: number
  fee: number
  /** When it became the price of the entitlement itself. */
  folded_at: Date | null
}
