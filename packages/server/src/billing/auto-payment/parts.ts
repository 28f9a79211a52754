import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { BillingConfig } from '../billing-settings.ts'
import type { PaymentParts } from '../payments/payment-parts.ts'

/** What a change of somebody's auto-payment needs; no provider is asked. */
export interface MandateParts {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly config: Pick<FeatureSettings, 'APP_LDAP'>
}

/** What auto-payment needs. */
export interface AutoPaymentParts extends PaymentParts {
  readonly config: PaymentParts['config'] & Pick<BillingConfig, 'PAYMENT_MAX_AMOUNT'>
}
