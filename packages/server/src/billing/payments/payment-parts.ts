import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { BillingConfig } from '../billing-settings.ts'
import type { BookParts } from '../book.ts'
import type { PaymentRow } from './payment-store.ts'
import type { ProviderPayment, Reversal } from './providers/provider.ts'
import type { PaymentProviders } from './providers/providers.ts'

/** Effects of a payment, in the transaction that settles it; each runs once per payment. */
export interface PaymentFollower {
  /** The payment was credited to the wallet; also for one of 0 that set up a mandate. */
  readonly credited?: (trx: Db, payment: PaymentRow, said: ProviderPayment) => Promise<void>
  /** It failed, expired or was cancelled. It may still be paid later. */
  readonly ended?: (trx: Db, payment: PaymentRow) => Promise<void>
  /** A part of the payment, in cents of the wallet's currency, has just been refunded or charged back. */
  readonly reversed?: (trx: Db, payment: PaymentRow, type: Reversal['type'], amount: number) => Promise<void>
  /** A reversal was undone, e.g. after winning a dispute: the money is back in the wallet. */
  readonly restored?: (trx: Db, payment: PaymentRow) => Promise<void>
}

/** Dependencies of payments. */
export interface PaymentParts extends BookParts {
  readonly config: Pick<SiteConfig, 'APP_NAME' | 'APP_URL'> &
    Pick<FeatureSettings, 'APP_LDAP'> &
    Pick<BillingConfig, 'VAT_MODE'>
  readonly db: Db
  readonly log: Log
  readonly providers: PaymentProviders
  readonly followers: readonly PaymentFollower[]
}
