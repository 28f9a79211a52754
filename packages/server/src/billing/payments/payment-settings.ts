import { z } from 'zod'
import { isLoopbackHost } from '../../platform/http/callers/loopback.ts'

/** A provider's URL: encrypted, or on this machine for tests that simulate the provider. */
const apiUrl = z.string().refine(isSafeAddress, {
  error: 'must be an address that starts with https://, or with http:// on this machine',
})

function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}

/** Settings of payment providers. */
export const paymentSettings = {
  STRIPE_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]+$/, 'must begin with sk_ or rk_ and then test_ or live_')
    .optional()
    .describe('Secret or restricted key of Stripe. If not set: Stripe is not used'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must begin with whsec_')
    .optional()
    .describe(
      'Signing secret of the Stripe endpoint that sends to `APP_URL/api/webhooks/payment/stripe`. Required with `STRIPE_KEY`',
    ),
  STRIPE_API_URL: apiUrl
    .optional()
    .describe('Address of the Stripe API. If not set: `https://api.stripe.com`'),
  MOLLIE_KEY: z
    .string()
    .regex(/^(test|live)_[A-Za-z0-9]{10,}$/, 'must begin with test_ or live_')
    .optional()
    .describe('API key of Mollie. If not set: Mollie is not used'),
  MOLLIE_API_URL: apiUrl
    .optional()
    .describe('Address of the Mollie API. If not set: `https://api.mollie.com`'),
}

const parsedSettings = z.object(paymentSettings).extend({ PAYMENT_PROVIDER: z.string().optional() })

type PaymentSettings = z.infer<typeof parsedSettings>

/** Returns conflicting settings as `SETTING: sentence`, or undefined. */
export function paymentSettingsProblem(value: PaymentSettings): string | undefined {
  const { PAYMENT_PROVIDER, STRIPE_KEY, STRIPE_WEBHOOK_SECRET, MOLLIE_KEY } = value
  if (PAYMENT_PROVIDER === 'stripe' && STRIPE_KEY === undefined) {
    return 'STRIPE_KEY: required with PAYMENT_PROVIDER=stripe'
  }
  if (STRIPE_KEY !== undefined && STRIPE_WEBHOOK_SECRET === undefined) {
    return 'STRIPE_WEBHOOK_SECRET: required with STRIPE_KEY'
  }
  if (PAYMENT_PROVIDER === 'mollie' && MOLLIE_KEY === undefined) {
    return 'MOLLIE_KEY: required with PAYMENT_PROVIDER=mollie'
  }
  return undefined
}

interface Takers {
  readonly paymentProvider: string | undefined
  readonly STRIPE_KEY?: string | undefined
  readonly MOLLIE_KEY?: string | undefined
}

/** Active providers: for new customers, or for those who stay with one that still has a key. */
export function providerNames({ paymentProvider, STRIPE_KEY, MOLLIE_KEY }: Takers) {
  return [
    ...(paymentProvider === 'sandbox' ? (['sandbox'] as const) : []),
    ...(STRIPE_KEY === undefined ? [] : (['stripe'] as const)),
    ...(MOLLIE_KEY === undefined ? [] : (['mollie'] as const)),
  ]
}

/** Whether any provider is active. */
export function takesPayments(config: Takers): boolean {
  return config.paymentProvider !== undefined || providerNames(config).length > 0
}

/**
 * A provider's webhook URL; undefined if this server can't be reached from outside, as on a developer's
 * machine.
 */
export function webhookUrl(appUrl: string, provider: string): string | undefined {
  return isLoopbackHost(new URL(appUrl).hostname) ? undefined : `${appUrl}/api/webhooks/payment/${provider}`
}
