import type { ColumnType, Generated } from 'kysely'

/** A new price of a SKU for subscriptions that exist. Amounts in cents for `months`. */
export interface PriceChangeTable {
  id: string
  tenantId: number
  skuId: string
  /** Of the catalogue when it was scheduled. */
  oldCost: number
  cost: number
  oldFee: number
  fee: number
  months: number
  currency: string
  /** When new subscriptions cost the new price. */
  newSubscriptions: 'at-once' | 'same-date'
  effectiveAt: Date
  /** Days that customers are told ahead; 0: nobody pays more. */
  noticeDays: number
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
  createdBy: number | null
  creatorEmail: string | null
  createdAt: Date
  announcedAt: ColumnType<Date | null, never, Date>
  appliedAt: ColumnType<Date | null, never, Date>
  cancelledAt: ColumnType<Date | null, never, Date>
  cancellerEmail: ColumnType<string | null, never, string | null>
  cancelToldAt: ColumnType<Date | null, never, Date>
}

/** Which price of a subscription is replaced by which. */
export interface PriceChangeStepTable {
  changeId: string
  fromCost: number
  cost: number
}

/** A wallet that a price change concerns. */
export interface PriceChangeWalletTable {
  changeId: string
  walletId: string
  since: Date
  units: number
  prices: { from: number; to: number; units: number }[]
  /** Cents a month of the whole wallet after the discount. */
  before: number
  after: number
  toldAt: Date | null
  appliedAt: Date | null
  cancelToldAt: Date | null
}

/** The coming price of one entitlement. */
export interface PriceChangeUnitTable {
  entitlementId: string
  changeId: string
  since: Date
  oldCost: number
  oldFee: number
  cost: number
  fee: number
  /** When it became the price of the entitlement itself. */
  foldedAt: Date | null
}
