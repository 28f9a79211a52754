/** What was counted for a day of a tenant. */
export interface DailyStatTable {
  kind: 'created' | 'deleted' | 'payers' | 'country' | 'income'
  tenantId: number
  /** `YYYY-MM-DD`. */
  day: string
  /** Of what is counted apart, as the code of a country or of a currency. */
  label: string
  value: number
}

/** Limits of what a tenant may offer. */
export type OfferLimitKind =
  | 'plan-modes'
  | 'free-months'
  | 'package-discount'
  | 'below-fee'
  | 'public-domains'
  | 'signup-tokens'
  | 'referral-award'

export interface TenantLimitTable {
  tenantId: number
  kind: 'users' | 'storage' | 'spend' | OfferLimitKind
  value: number
}
