import type { Clock } from '../../../platform/clock.ts'
import type { SiteConfig } from '../../../platform/settings/site-settings.ts'
import type { BillingConfig } from '../../billing-settings.ts'
import { MollieProvider } from '../mollie/mollie-provider.ts'
import { webhookUrl } from '../payment-settings.ts'
import { StripeProvider } from '../stripe/stripe-provider.ts'
import type { PaymentProvider } from './provider.ts'

/** The providers with configured keys. One is enough; customers of a second one stay with it. */
export function configuredProviders(config: SiteConfig & BillingConfig, clock: Clock): PaymentProvider[] {
  const providers: PaymentProvider[] = []
  if (config.STRIPE_KEY !== undefined && config.STRIPE_WEBHOOK_SECRET !== undefined) {
    providers.push(
      new StripeProvider({
        key: config.STRIPE_KEY,
        webhookSecret: config.STRIPE_WEBHOOK_SECRET,
        clock,
        ...(config.STRIPE_API_URL !== undefined && { apiUrl: config.STRIPE_API_URL }),
      }),
    )
  }
  if (config.MOLLIE_KEY !== undefined) {
    providers.push(
      new MollieProvider({
        key: config.MOLLIE_KEY,
        webhookUrl: webhookUrl(config.APP_URL, 'mollie'),
        ...(config.MOLLIE_API_URL !== undefined && { apiUrl: config.MOLLIE_API_URL }),
      }),
    )
  }
  return providers
}
