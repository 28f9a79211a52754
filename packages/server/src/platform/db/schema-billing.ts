import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

export type EntryType = 'award' | 'credit' | 'debit' | 'penalty' | 'refund' | 'chback'

export interface LedgerEntryTable {
  id: string
  wallet_id: string
  /** From 1 without gaps in each wallet; like balance, currency and hash made by the database. */
  number: ColumnType<number, never, never>
  type: EntryType
  /** Cents as the wallet sees them: award and credit are positive, all else is negative. */
  amount: number
  /** Of the wallet after the entry. */
  balance: ColumnType<number, never, never>
  currency: ColumnType<string, never, never>
  /** Where the money came from or went to. */
  account: 'revenue' | 'commissions' | 'payments' | 'awards' | 'penalties' | 'openings' | 'forfeits'
  /** What makes a second attempt the same as the first. */
  key: string
  /** Key of the text, without its area; `parameters` is a JSON object of what fills it. */
  description: string
  parameters: string
  actor_id: number | null
  actor_email: string | null
  created_at: Created
  hash: ColumnType<Buffer, never, never>
}

export interface LedgerPostingTable {
  entry_id: string
  account: string
  wallet_id: string | null
  tenant_id: number
  amount: number
}

export interface WalletDebtTable {
  wallet_id: string
  negative_since: Date
  /** When each step was taken; null: not yet. */
  initial_at: Date | null
  reminder_at: Date | null
  warning_at: Date | null
  degrade_at: Date | null
  degraded_reminder_at: Date | null
}

export interface WalletAlertTable {
  wallet_id: string
  /** Cents. */
  threshold: number
  /** When the owner was told; null: the balance is not below. */
  alerted_at: Date | null
  /** When the owner was told last, whether the balance is still below or not. */
  last_alert_at: Generated<Date | null>
  /** When the balance had recovered from that; null: it has not. */
  resolved_at: Generated<Date | null>
}

export interface WalletSettingTable {
  wallet_id: string
  key: string
  value: string
}

export interface BilledPeriodTable {
  entitlement_id: string
  since: Date
  until: Date
  cost: number
  fee: number
  /** The debit that it is part of; null: it cost nothing, and only the fee is owed. */
  entry_id: string | null
  /** The entry of the tenant's profit that it is part of; null: there is none. */
  profit_id: Generated<string | null>
  /** From when the months are counted after it, if that changed. */
  counted_from: Generated<Date | null>
}

export interface WalletChargingTable {
  wallet_id: string
  /** When the next unit is due; null: nothing will be. */
  due_at: Date | null
}

export interface VatRateTable {
  id: string
  /** ISO 3166-1, two letters. */
  country: string
  /** A day, `YYYY-MM-DD`. */
  starts_on: ColumnType<string, string, never>
  /** Hundredths of a percent. */
  rate: number
}

export type PaymentType = 'oneoff' | 'recurring' | 'mandate' | 'refund' | 'chargeback'
export type PaymentStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'

export interface PaymentTable {
  /** Our own, there before the provider is asked. */
  id: string
  wallet_id: string
  type: PaymentType
  status: PaymentStatus
  provider: string
  /** The provider's own; null: it has not answered yet. Of a reversal, that of the reversal. */
  provider_id: string | null
  /** Id of the contract; empty: of a payment that was brought from elsewhere. */
  method: Generated<string>
  /** Such as a brand and the last digits. */
  method_text: string | null
  /** Where the customer completes it, as long as that can be done. */
  checkout_url: string | null
  is_cancelable: Generated<boolean>
  /** Cents of the wallet's currency that the customer paid, VAT included; negative for what went back. */
  amount: number
  /** Cents that the wallet got. */
  credit_amount: number
  /** What was charged at the provider, and its minor units there. */
  currency: string
  currency_amount: number
  vat_rate_id: string | null
  description: Generated<string>
  refund_of: string | null
  /** The document that it stands on. */
  receipt_id: string | null
  /** Counts what was written after a look at the provider. */
  changes: Generated<number>
  /** When the provider is asked next by itself; null: never again. */
  next_look_at: Date | null
  /** Looks since the last change. */
  looks: Generated<number>
  created_at: Created
  updated_at: Date
  paid_at: Date | null
}

/** Wallets as providers know them. */
export interface PaymentCustomerTable {
  wallet_id: string
  provider: string
  id: string
  created_at: Created
}

/** What an operator must look at, since no rule says what to do. */
export interface PaymentAlarmTable {
  id: string
  provider: string
  provider_id: string
  kind: 'unknown-payment' | 'mismatch' | 'over-reversed' | 'lost' | 'closed-account'
  payment_id: string | null
  facts: ColumnType<unknown, string, never>
  created_at: Created
}

export interface ExchangeRateTable {
  base: string
  currency: string
  /** `YYYY-MM-DD`. */
  day: ColumnType<string, string, never>
  /** A decimal number as text, so that it stays exact. */
  rate: string
}

export interface SandboxPaymentTable {
  id: string
  /** Of the order; the same one asked twice is one payment. */
  payment_id: string
  /** Of the address of its page. */
  token_hash: Buffer
  kind: 'payment' | 'mandate' | 'charge'
  method: string
  status: PaymentStatus
  /** Minor units. */
  amount: number
  currency: string
  description: string
  payer: string
  return_url: string
  language: string
  mandate_id: string | null
  method_text: string | null
  created_at: Created
  paid_at: Date | null
}

export interface SandboxMandateTable {
  id: string
  method: string
  method_text: string
  /** What comes of a charge. */
  outcome: 'paid' | 'failed' | 'pending'
  revoked_at: Date | null
  created_at: Created
}

export interface SandboxReversalTable {
  id: string
  payment_id: string
  type: 'refund' | 'chargeback'
  amount: number
  created_at: Created
}

export interface ReceiptNumberTable {
  tenant_id: number
  series: string
  last: number
}

export interface ReceiptTable {
  id: string
  tenant_id: number
  wallet_id: string
  kind: 'receipt' | 'credit-note'
  number: string
  /** A month, `YYYY-MM`. */
  period: string
  currency: string
  /** Cents, VAT included; negative on a credit note. */
  amount: number
  /** Everything that the document says, as it was when it was issued. */
  facts: ColumnType<unknown, string, never>
  issued_at: Created
}

/** Auto-payment of a wallet; what stands between provider and disabling is null when there is no mandate. */
export interface WalletMandateTable {
  wallet_id: string
  /** Cents that a top-up brings. */
  amount: number
  /** Cents; a top-up is made below. */
  threshold: number
  provider: string | null
  /** The provider's own id of the mandate. */
  provider_id: string | null
  customer_id: string | null
  /** Such as a brand and the last digits. */
  method: string | null
  method_id: string | null
  status: 'valid' | 'pending' | 'invalid' | null
  /** When the provider was last asked. */
  read_at: Date | null
  disabled_at: Date | null
  disabled_reason: 'failed' | 'invalid' | 'too-small' | 'revoked' | 'staff' | null
  updated_at: Date
}

/** An attempt to set a mandate up; the payment says how it went. */
export interface MandateSetupTable {
  payment_id: string
  wallet_id: string
  /** Cents, which count once it succeeded. */
  amount: number
  threshold: number
  /** A mandate that comes of it is not wanted any more. */
  is_withdrawn: Generated<boolean>
}
