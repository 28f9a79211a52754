import type Stripe from 'stripe'
import { PaymentRefused, ProviderUnavailable, type Refusal } from '../providers/provider-errors.ts'

/** How Stripe is reached. */
export interface StripeAccess {
  /** Secret or restricted key; nobody logs it. */
  readonly key: string
  /** Absent: Stripe itself. */
  readonly apiUrl?: string
  /** Milliseconds that one request gets. Absent: ten seconds. */
  readonly timeout?: number
  /** Further tries after a lost connection or an error of the server. Absent: one. */
  readonly retries?: number
}

/** The bank said no to a charge, and the payment that it said no to is there to be read. */
export class CardDeclined extends PaymentRefused {
  readonly intentId: string

  constructor(intentId: string, reason: string) {
    super('payment', reason)
    this.intentId = intentId
  }
}

/** The customer that we know was deleted at Stripe. */
export class CustomerGone extends PaymentRefused {}

/** What is asked for is not there. */
class Missing extends PaymentRefused {}

type StripeModule = typeof import('stripe')

/**
 * The official client, loaded when it is first needed: an installation without Stripe pays nothing for it. Every error
 * leaves as one of ours, with what Stripe said as its reason; a declined charge leaves as `CardDeclined`.
 */
export class StripeClient {
  readonly #access: StripeAccess
  #loaded: Promise<{ module: StripeModule['default']; api: Stripe }> | undefined

  constructor(access: StripeAccess) {
    this.#access = access
  }

  /** Makes one request. `refusal` says what an invalid request means to the customer. */
  async call<T>(act: (stripe: Stripe) => Promise<T>, refusal: Refusal = 'payment'): Promise<T> {
    this.#loaded ??= load(this.#access)
    const { module, api } = await this.#loaded
    try {
      return await act(api)
    } catch (error) {
      throw error instanceof module.errors.StripeError ? translated(error, refusal) : error
    }
  }

  /** As `call`; undefined: there is no such object. */
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
  // an idempotency key that is in use belongs to the same request, which is still on its way
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
