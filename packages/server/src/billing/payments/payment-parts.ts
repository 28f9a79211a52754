import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { BillingConfig } from '../billing-settings.ts'
import type { BookParts } from '../book.ts'
import type { PaymentRow } from './payment-store.ts'
import type { ProviderPayment, Reversal } from './providers/provider.ts'
import type { PaymentProviders } from './providers/providers.ts'

/** What else happens with a payment, in the transaction that says so; each once for each payment. */
export interface PaymentFollower {
  /** The payment is there and in the wallet; also one of 0 that set a mandate up. */
  readonly credited?: (trx: Db, payment: PaymentRow, said: ProviderPayment) => Promise<void>
  /** Nothing came of it: it failed, expired or was cancelled. It may still be paid later. */
  readonly ended?: (trx: Db, payment: PaymentRow) => Promise<void>
  /** So much of a payment, in cents of the wallet, went back just now. */
  readonly reversed?: (trx: Db, payment: PaymentRow, type: Reversal['type'], amount: number) => Promise<void>
  /** A reversal was taken back, as when a dispute is won: the money is in the wallet again. */
  readonly restored?: (trx: Db, payment: PaymentRow) => Promise<void>
}

/** What work on payments needs. */
export interface PaymentParts extends BookParts {
  readonly config: Pick<SiteConfig, 'APP_NAME' | 'APP_URL'> &
    Pick<FeatureSettings, 'APP_LDAP'> &
    Pick<BillingConfig, 'VAT_MODE'>
  readonly db: Db
  readonly log: Log
  readonly providers: PaymentProviders
  readonly followers: readonly PaymentFollower[]
}
