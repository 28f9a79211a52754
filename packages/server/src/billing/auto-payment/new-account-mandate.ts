import type { HandOff } from '@gatehouse/contract/billing/payments'
import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../../platform/db/database.ts'

/** Initial auto-payment of a new account in mandate mode. */
export interface NewAccountMandate {
  readonly walletId: string
  /** Amount of each top-up, including the first, in cents of the wallet's currency. */
  readonly amount: number
  /** Cents; a top-up is made below this balance. */
  readonly balance: number
}

/**
 * Auto-payment steps of a sign-up, in two halves: neither an error at the provider nor a crash before it may
 * lose the account, or leave it without a set-up that its owner can retry on the payment status page.
 */
export interface NewAccountMandates {
  /** False if no payment provider is configured, so no account can start with a payment. */
  readonly isOffered: boolean
  /** Stores amounts and the payment that sets up the mandate, in the transaction that creates the account. */
  prepareMandate(trx: Db, mandate: NewAccountMandate): Promise<void>
  /**
   * Calls the provider, after that transaction. Throws ProviderUnavailable or PaymentRefused; the payment stays,
   * and `POST /api/v4/payments/mandate/reset` retries it.
   */
  beginMandate(walletId: string, request: { readonly language: Language }): Promise<HandOff>
}
