import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { BillingConfig } from '../billing-settings.ts'
import type { PaymentParts } from '../payments/payment-parts.ts'

/** Dependencies for changing an auto-payment; no provider is called. */
export interface MandateParts {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly config: Pick<FeatureSettings, 'APP_LDAP'>
}

/** Dependencies of auto-payment. */
export interface AutoPaymentParts extends PaymentParts {
  readonly config: PaymentParts['config'] & Pick<BillingConfig, 'PAYMENT_MAX_AMOUNT'>
}
