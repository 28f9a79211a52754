import type { FastifyInstance } from 'fastify'
import type { Secrets } from '../../platform/secrets.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { PaymentMethods } from './methods.ts'
import type { PaymentFollower, PaymentParts } from './payment-parts.ts'
import { configuredProviders } from './providers/configured-providers.ts'
import { PaymentProviders } from './providers/providers.ts'
import { handleSandboxMessages } from './sandbox/deliver-messages.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import { handlePayments } from './settlement/reconcile.ts'

export interface PaymentComposition extends Omit<PaymentParts, 'providers' | 'config' | 'followers'> {
  readonly config: SiteConfig & FeatureSettings & BillingConfig
  readonly secrets: Secrets
  readonly fastify: FastifyInstance
  readonly followers: readonly PaymentFollower[]
}

/** A server's payment components. */
export interface Payments {
  readonly payments: PaymentParts
  readonly methods: PaymentMethods
  /** Undefined if the installation has none. */
  readonly sandbox: Sandbox | undefined
}

/** Composes the installation's providers and registers the payment jobs. */
export function composePayments(parts: PaymentComposition): Payments {
  const { config, db, clock, jobs, fastify } = parts
  const { providers, sandbox } = openProviders(parts)
  const payments: PaymentParts = { ...parts, providers }
  handlePayments(payments)
  if (sandbox !== undefined) {
    const url = '/api/webhooks/payment/sandbox'
    handleSandboxMessages(jobs, {
      sandbox,
      clock,
      // the portal may not be able to reach its own public URL
      deliver: async (payload, headers) =>
        (await fastify.inject({ method: 'POST', url, payload, headers: { ...headers } })).statusCode,
    })
  }
  return { payments, methods: new PaymentMethods({ config, db, clock }), sandbox }
}

type ProviderParts = Pick<PaymentComposition, 'config' | 'db' | 'clock' | 'jobs' | 'secrets'>

/** Creates the installation's providers. */
export function openProviders(parts: ProviderParts): {
  readonly providers: PaymentProviders
  readonly sandbox: Sandbox | undefined
} {
  const { config, clock } = parts
  const sandbox = openSandbox(parts)
  const all = [...(sandbox === undefined ? [] : [sandbox]), ...configuredProviders(config, clock)]
  return { providers: new PaymentProviders(all, config.paymentProvider), sandbox }
}

/** There is no sandbox with real money, unless it was explicitly enabled. */
function openSandbox({ config, db, clock, jobs, secrets }: ProviderParts): Sandbox | undefined {
  if (config.production && config.PAYMENT_PROVIDER !== 'sandbox') return undefined
  return new Sandbox({ db, clock, jobs, secrets, link: (path) => `${config.APP_URL}${path}` })
}
