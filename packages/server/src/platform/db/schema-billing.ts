import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'

export type EntryType = 'award' | 'credit' | 'debit' | 'penalty' | 'refund' | 'chback'

export interface LedgerEntryTable {
  id: string
  walletId: string
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
  actorId: number | null
  actorEmail: string | null
  createdAt: Created
  hash: ColumnType<Buffer, never, never>
}

export interface LedgerPostingTable {
  entryId: string
  account: string
  walletId: string | null
  tenantId: number
  amount: number
}

export interface WalletDebtTable {
  walletId: string
  negativeSince: Date
  /** When each step was taken; null: not yet. */
  initialAt: Date | null
  reminderAt: Date | null
  warningAt: Date | null
  degradeAt: Date | null
  degradedReminderAt: Date | null
}

export interface WalletAlertTable {
  walletId: string
  /** Cents. */
  threshold: number
  /** When the owner was told; null: the balance is not below. */
  alertedAt: Date | null
  /** When the owner was told last, whether the balance is still below or not. */
  lastAlertAt: Generated<Date | null>
  /** When the balance had recovered from that; null: it has not. */
  resolvedAt: Generated<Date | null>
}

export interface WalletSettingTable {
  walletId: string
  key: string
  value: string
}

export interface BilledPeriodTable {
  entitlementId: string
  since: Date
  until: Date
  cost: number
  fee: number
  /** The debit that it is part of; null: it cost nothing, and only the fee is owed. */
  entryId: string | null
  /** The entry of the tenant's profit that it is part of; null: there is none. */
  profitId: Generated<string | null>
  /** From when the months are counted after it, if that changed. */
  countedFrom: Generated<Date | null>
}

export interface WalletChargingTable {
  walletId: string
  /** When the next unit is due; null: nothing will be. */
  dueAt: Date | null
}

export interface VatRateTable {
  id: string
  /** ISO 3166-1, two letters. */
  country: string
  /** A day, `YYYY-MM-DD`. */
  startsOn: ColumnType<string, string, never>
  /** Hundredths of a percent. */
  rate: number
}

export type PaymentType = 'oneoff' | 'recurring' | 'mandate' | 'refund' | 'chargeback'
export type PaymentStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'

export interface PaymentTable {
  /** Our own, there before the provider is asked. */
  id: string
  walletId: string
  type: PaymentType
  status: PaymentStatus
  provider: string
  /** The provider's own; null: it has not answered yet. Of a reversal, that of the reversal. */
  providerId: string | null
  /** Id of the contract; empty: of a payment that was brought from elsewhere. */
  method: Generated<string>
  /** Such as a brand and the last digits. */
  methodText: string | null
  /** Where the customer completes it, as long as that can be done. */
  checkoutUrl: string | null
  isCancelable: Generated<boolean>
  /** Cents of the wallet's currency that the customer paid, VAT included; negative for what went back. */
  amount: number
  /** Cents that the wallet got. */
  creditAmount: number
  /** What was charged at the provider, and its minor units there. */
  currency: string
  currencyAmount: number
  vatRateId: string | null
  description: Generated<string>
  refundOf: string | null
  /** The document that it stands on. */
  receiptId: string | null
  /** Counts what was written after a look at the provider. */
  changes: Generated<number>
  /** When the provider is asked next by itself; null: never again. */
  nextLookAt: Date | null
  /** Looks since the last change. */
  looks: Generated<number>
  createdAt: Created
  updatedAt: Date
  paidAt: Date | null
}

/** Wallets as providers know them. */
export interface PaymentCustomerTable {
  walletId: string
  provider: string
  id: string
  createdAt: Created
}

/** What an operator must look at, since no rule says what to do. */
export interface PaymentAlarmTable {
  id: string
  provider: string
  providerId: string
  kind: 'unknown-payment' | 'mismatch' | 'over-reversed' | 'lost' | 'closed-account'
  paymentId: string | null
  facts: ColumnType<unknown, string, never>
  createdAt: Created
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
  paymentId: string
  /** Of the address of its page. */
  tokenHash: Buffer
  kind: 'payment' | 'mandate' | 'charge'
  method: string
  status: PaymentStatus
  /** Minor units. */
  amount: number
  currency: string
  description: string
  payer: string
  returnUrl: string
  language: string
  mandateId: string | null
  methodText: string | null
  createdAt: Created
  paidAt: Date | null
}

export interface SandboxMandateTable {
  id: string
  method: string
  methodText: string
  /** What comes of a charge. */
  outcome: 'paid' | 'failed' | 'pending'
  revokedAt: Date | null
  createdAt: Created
}

export interface SandboxReversalTable {
  id: string
  paymentId: string
  type: 'refund' | 'chargeback'
  amount: number
  createdAt: Created
}

export interface ReceiptNumberTable {
  tenantId: number
  series: string
  last: number
}

export interface ReceiptTable {
  id: string
  tenantId: number
  walletId: string
  kind: 'receipt' | 'credit-note'
  number: string
  /** A month, `YYYY-MM`. */
  period: string
  currency: string
  /** Cents, VAT included; negative on a credit note. */
  amount: number
  /** Everything that the document says, as it was when it was issued. */
  facts: ColumnType<unknown, string, never>
  issuedAt: Created
}

/** Auto-payment of a wallet; what stands between provider and disabling is null when there is no mandate. */
export interface WalletMandateTable {
  walletId: string
  /** Cents that a top-up brings. */
  amount: number
  /** Cents; a top-up is made below. */
  threshold: number
  provider: string | null
  /** The provider's own id of the mandate. */
  providerId: string | null
  customerId: string | null
  /** Such as a brand and the last digits. */
  method: string | null
  methodId: string | null
  status: 'valid' | 'pending' | 'invalid' | null
  /** When the provider was last asked. */
  readAt: Date | null
  disabledAt: Date | null
  disabledReason: 'failed' | 'invalid' | 'too-small' | 'revoked' | 'staff' | null
  updatedAt: Date
}

/** An attempt to set a mandate up; the payment says how it went. */
export interface MandateSetupTable {
  paymentId: string
  walletId: string
  /** Cents, which count once it succeeded. */
  amount: number
  threshold: number
  /** A mandate that comes of it is not wanted any more. */
  isWithdrawn: Generated<boolean>
}
