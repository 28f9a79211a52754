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

/** Everything about payments that a server has. */
export interface Payments {
  readonly payments: PaymentParts
  readonly methods: PaymentMethods
  /** Undefined: this installation has none. */
  readonly sandbox: Sandbox | undefined
}

/** Puts the providers of an installation together and takes on the work on payments. */
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
      // the portal's own address may be one that it cannot reach by itself
      deliver: async (payload, headers) =>
        (await fastify.inject({ method: 'POST', url, payload, headers: { ...headers } })).statusCode,
    })
  }
  return { payments, methods: new PaymentMethods({ config, db, clock }), sandbox }
}

type ProviderParts = Pick<PaymentComposition, 'config' | 'db' | 'clock' | 'jobs' | 'secrets'>

/** The providers of an installation. */
export function openProviders(parts: ProviderParts): {
  readonly providers: PaymentProviders
  readonly sandbox: Sandbox | undefined
} {
  const { config, clock } = parts
  const sandbox = openSandbox(parts)
  const all = [...(sandbox === undefined ? [] : [sandbox]), ...configuredProviders(config, clock)]
  return { providers: new PaymentProviders(all, config.paymentProvider), sandbox }
}

/** Where real money moves there is no sandbox, unless it was asked for by name. */
function openSandbox({ config, db, clock, jobs, secrets }: ProviderParts): Sandbox | undefined {
  if (config.production && config.PAYMENT_PROVIDER !== 'sandbox') return undefined
  return new Sandbox({ db, clock, jobs, secrets, link: (path) => `${config.APP_URL}${path}` })
}
