import type Stripe from 'stripe'
import { fetchOf } from '../../../platform/tracing/tracer.ts'
import { PaymentRefused, ProviderUnavailable, type Refusal } from '../providers/provider-errors.ts'

/** Access to Stripe. */
export interface StripeAccess {
  /** Secret or restricted key; never logged. */
  readonly key: string
  /** Defaults to Stripe's own URL. */
  readonly apiUrl?: string
  /** Timeout of a request in milliseconds; default ten seconds. */
  readonly timeout?: number
  /** Retries after a lost connection or a server error; default one. */
  readonly retries?: number
}

/** The bank declined a charge; its failed payment can be read. */
export class CardDeclined extends PaymentRefused {
  readonly intentId: string

  constructor(intentId: string, reason: string) {
    super('payment', reason)
    this.intentId = intentId
  }
}

/** The stored customer was deleted at Stripe. */
export class CustomerGone extends PaymentRefused {}

/** The requested object doesn't exist. */
class Missing extends PaymentRefused {}

type StripeModule = typeof import('stripe')

/**
 * The official client, loaded on first use, so that installations without Stripe don't pay for it. Errors are
 * mapped to ours, with Stripe's message as the reason; a declined charge becomes `CardDeclined`.
 */
export class StripeClient {
  readonly #access: StripeAccess
  #loaded: Promise<{ module: StripeModule['default']; api: Stripe }> | undefined

  constructor(access: StripeAccess) {
    this.#access = access
  }

  /** Sends a request. `refusal` is what an invalid request means to the customer. */
  async call<T>(act: (stripe: Stripe) => Promise<T>, refusal: Refusal = 'payment'): Promise<T> {
    this.#loaded ??= load(this.#access)
    const { module, api } = await this.#loaded
    try {
      return await act(api)
    } catch (error) {
      throw error instanceof module.errors.StripeError ? translated(error, refusal) : error
    }
  }

  /** Like `call`, but returns undefined if the object doesn't exist. */
  async find<T>(act: (stripe: Stripe) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.call(act)
    } catch (error) {
      if (error instanceof Missing) return undefined
      throw error
    }
  }
}

async function load(access: StripeAccess): Promise<{ module: StripeModule['default']; api: Stripe }> {
  const { default: module } = await import('stripe')
  const api = new module(access.key, {
    timeout: access.timeout ?? 10_000,
    maxNetworkRetries: access.retries ?? 1,
    telemetry: false,
    httpClient: module.createFetchHttpClient(fetchOf('stripe')),
    ...(access.apiUrl !== undefined && endpoint(access.apiUrl)),
  })
  return { module, api }
}

function endpoint(address: string): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  const { protocol, hostname, port } = new URL(address)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? 'http' : 'https',
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  }
}

function translated(error: Stripe.errors.StripeError, refusal: Refusal): Error {
  const reason = reasonOf(error)
  if (error.type === 'StripeCardError') {
    const intentId = error.payment_intent?.id
    return intentId === undefined ? new PaymentRefused(refusal, reason) : new CardDeclined(intentId, reason)
  }
  // an idempotency key in use belongs to the same request, which is still in progress
  if (error.type !== 'StripeInvalidRequestError' || (error.statusCode ?? 500) >= 500) {
    return new ProviderUnavailable('stripe', reason)
  }
  if (error.code === 'resource_missing') {
    return error.param === 'customer' ? new CustomerGone(refusal, reason) : new Missing(refusal, reason)
  }
  return new PaymentRefused(refusalOf(error) ?? refusal, reason)
}

function refusalOf(error: Stripe.errors.StripeError): Refusal | undefined {
  if (error.code === 'amount_too_small' || error.code === 'amount_too_large') return 'amount'
  if (error.param?.startsWith('payment_method_types') === true) return 'method'
  return undefined
}

function reasonOf(error: Stripe.errors.StripeError): string {
  const facts = [error.type, error.code, error.decline_code, error.param, error.requestId]
  return `${facts.filter((fact) => fact !== undefined).join(' ')}: ${error.message}`.slice(0, 500)
}
