import type { HandOff } from '@gatehouse/contract/billing/payments'
import type { Language } from '@gatehouse/contract/language'
import type { Db } from '../../platform/db/database.ts'

/** Auto-payment that a new account in mandate mode begins with. */
export interface NewAccountMandate {
  readonly walletId: string
  /** Cents of the wallet's currency that each top-up brings, the first too. */
  readonly amount: number
  /** Cents; below it a top-up is made. */
  readonly balance: number
}

/**
 * What sign-up asks of auto-payment, in two halves: nothing that happens at the provider, nor a crash on the way there,
 * may lose the account or leave it without a set-up that its owner can try again on the page of the payment's status.
 */
export interface NewAccountMandates {
  /** False: nobody takes payments here, so no account can begin with one. */
  readonly isOffered: boolean
  /** Writes amounts and the payment that sets the mandate up into the transaction that makes the account. */
  prepareMandate(trx: Db, mandate: NewAccountMandate): Promise<void>
  /**
   * Asks the provider, after that transaction. Throws ProviderUnavailable or PaymentRefused; the payment stays, and
   * `POST /api/v4/payments/mandate/reset` tries again.
   */
  beginMandate(walletId: string, request: { readonly language: Language }): Promise<HandOff>
}
