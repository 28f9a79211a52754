import { createHash } from 'node:crypto'
import type { MethodKind } from '@gatehouse/contract/billing/payments'
import type Stripe from 'stripe'
import type { Clock } from '../../../platform/clock.ts'
import type {
  Customer,
  OfferedMethod,
  PaymentOrder,
  PaymentProvider,
  ProviderMandate,
  ProviderPayment,
  Reversal,
  StartedPayment,
  WebhookMessage,
} from '../providers/provider.ts'
import { PaymentRefused } from '../providers/provider-errors.ts'
import { CardDeclined, CustomerGone, type StripeAccess, StripeClient } from './stripe-client.ts'
import { methodIdOf, methodText, offeredMethods, stripeMethod, toStripe } from './stripe-methods.ts'
import {
  canceledMark,
  expanded,
  idOf,
  intentParts,
  type OurMetadata,
  paymentOfIntent,
  paymentOfSession,
  reversalsOf,
  sessionParts,
} from './stripe-payment.ts'
import { type Subject, webhookSubject } from './stripe-webhook.ts'

export interface StripeOptions extends StripeAccess {
  /** Secret of the endpoint that Stripe sends webhooks to. */
  readonly webhookSecret: string
  readonly clock: Clock
}

/** A checkout session or a payment intent. */
const paymentIds = /^(cs|pi)_[A-Za-z0-9_]{1,200}$/

/** Period in seconds that is searched for a payment without a known customer. */
const searchedTime = 3 * 24 * 3600

/** Maximum objects searched for a payment whose response was lost. */
const searchedObjects = 1000

/**
 * Payments through Stripe (docs.stripe.com/api). What a customer does on Stripe's page is a checkout session,
 * whose ID is the payment's ID, because the intent is only created when the customer pays. A charge by mandate
 * is a payment intent. A mandate is a payment method attached to the customer.
 */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe'
  readonly #client: StripeClient
  readonly #webhookSecret: string
  readonly #clock: Clock

  constructor(options: StripeOptions) {
    this.#client = new StripeClient(options)
    this.#webhookSecret = options.webhookSecret
    this.#clock = options.clock
  }

  async methods(kind: MethodKind, currency: string): Promise<readonly OfferedMethod[]> {
    const list = await this.#client.call((stripe) => stripe.paymentMethodConfigurations.list({ limit: 100 }))
    const settings = list.data.find((one) => one.is_default && one.parent === null) ?? list.data[0]
    return offeredMethods(kind, currency, settings)
  }

  async startPayment(order: PaymentOrder): Promise<StartedPayment> {
    return this.#startSession(order, paymentSession(order, undefined))
  }

  async startMandate(order: PaymentOrder): Promise<StartedPayment> {
    const params = order.amount === 0 ? setupSession(order) : paymentSession(order, 'off_session')
    return this.#startSession(order, params)
  }

  async chargeMandate(order: PaymentOrder, mandateId: string): Promise<StartedPayment> {
    const method = await this.#client.find((stripe) => stripe.paymentMethods.retrieve(mandateId))
    const customerId = idOf(method?.customer)
    if (method === undefined || customerId === null) {
      throw new PaymentRefused('mandate', `stripe: ${mandateId} is not attached any more`)
    }
    const params: Stripe.PaymentIntentCreateParams = {
      amount: toStripe(order.amount, order.currency),
      currency: order.currency.toLowerCase(),
      customer: customerId,
      payment_method: method.id,
      allowed_payment_method_types: [method.type],
      off_session: true,
      confirm: true,
      description: order.description,
      metadata: metadataOf(order),
    }
    try {
      const intent = await this.#client.call((stripe) =>
        stripe.paymentIntents.create(params, { idempotencyKey: order.paymentId }),
      )
      return { id: intent.id, customerId }
    } catch (error) {
      // the charge was declined by the bank: a failed payment that can be read
      if (error instanceof CardDeclined) return { id: error.intentId, customerId }
      throw error
    }
  }

  async readPayment(id: string): Promise<ProviderPayment | undefined> {
    if (!paymentIds.test(id)) return undefined
    if (isSession(id)) {
      const session = await this.#readSession(id)
      if (session === undefined) return undefined
      return paymentOfSession(session, await this.#reversals(expanded(session.payment_intent)))
    }
    const intent = await this.#client.find((stripe) =>
      stripe.paymentIntents.retrieve(id, { expand: [...intentParts] }),
    )
    return intent === undefined ? undefined : paymentOfIntent(intent, await this.#reversals(intent))
  }

  /** Reads lists, because Stripe's search index is up to a minute behind. */
  async findPayment(paymentId: string, customerId: string | null): Promise<ProviderPayment | undefined> {
    const since = Math.floor(this.#clock.now().getTime() / 1000) - searchedTime
    const scope = customerId === null ? { created: { gte: since } } : { customer: customerId }
    const isOurs = (one: { metadata: Stripe.Metadata | null }) => one.metadata?.paymentId === paymentId
    const id = await this.#client.call(
      async (stripe) =>
        (await firstOf(stripe.checkout.sessions.list({ ...scope, limit: 100 }), isOurs))?.id ??
        (await firstOf(stripe.paymentIntents.list({ ...scope, limit: 100 }), isOurs))?.id,
    )
    return id === undefined ? undefined : this.readPayment(id)
  }

  async cancelPayment(id: string): Promise<void> {
    if (!isSession(id)) return this.#cancelIntent(id)
    const session = await this.#readSession(id)
    if (session?.status === 'open') {
      await this.#client.call(async (stripe) => {
        await stripe.checkout.sessions.update(id, { metadata: canceledMark })
        await stripe.checkout.sessions.expire(id)
      }, 'too late')
      return
    }
    const intent = expanded<Stripe.PaymentIntent>(session?.payment_intent)
    // e.g. a pending bank transfer
    if (intent?.status === 'requires_action') return this.#cancelIntent(intent.id)
    throw new PaymentRefused('too late', `stripe: ${id} is ${session?.status ?? 'unknown'}`)
  }

  async refund(id: string, amount: number, key: string): Promise<void> {
    const intentId = isSession(id) ? idOf((await this.#readSession(id))?.payment_intent) : id
    if (intentId === null) throw new PaymentRefused('refund', `stripe: ${id} was not paid`)
    const intent = await this.#client.find((stripe) => stripe.paymentIntents.retrieve(intentId))
    if (intent === undefined) throw new PaymentRefused('refund', `stripe: ${intentId} does not exist`)
    await this.#client.call(
      (stripe) =>
        stripe.refunds.create(
          { payment_intent: intentId, amount: toStripe(amount, intent.currency.toUpperCase()) },
          { idempotencyKey: key },
        ),
      'refund',
    )
  }

  async readMandate(id: string): Promise<ProviderMandate | undefined> {
    const method = await this.#client.find((stripe) => stripe.paymentMethods.retrieve(id))
    if (method === undefined || idOf(method.customer) === null) return undefined
    return {
      id,
      status: 'valid',
      method: methodText(method) ?? method.type,
      methodId: methodIdOf(method.type),
    }
  }

  async revokeMandate(id: string): Promise<void> {
    if ((await this.readMandate(id)) === undefined) return
    await this.#client.find((stripe) => stripe.paymentMethods.detach(id))
  }

  async readWebhook(message: WebhookMessage): Promise<readonly string[]> {
    const subject = await this.#client.call(async (stripe) =>
      webhookSubject(stripe, message, this.#webhookSecret, this.#clock),
    )
    return subject === undefined ? [] : this.#paymentsOf(subject)
  }

  /** Payments are identified by their session, if there is one. */
  async #paymentsOf(subject: Subject): Promise<readonly string[]> {
    switch (subject.kind) {
      case 'session':
        return [subject.id]
      case 'payment intent': {
        const sessions = await this.#client.call((stripe) =>
          stripe.checkout.sessions.list({ payment_intent: subject.id }),
        )
        return sessions.data.length === 0 ? [subject.id] : sessions.data.map((session) => session.id)
      }
      case 'setup intent': {
        const { customerId } = subject
        if (customerId === null) return []
        // Stripe can list the sessions of a payment intent, but not of a setup intent
        const session = await this.#client.call((stripe) =>
          firstOf(
            stripe.checkout.sessions.list({ customer: customerId, limit: 100 }),
            (one) => idOf(one.setup_intent) === subject.id,
          ),
        )
        return session === undefined ? [] : [session.id]
      }
    }
  }

  async #startSession(
    order: PaymentOrder,
    params: Stripe.Checkout.SessionCreateParams,
  ): Promise<StartedPayment> {
    const create = async (customerId: string, idempotencyKey: string): Promise<StartedPayment> => {
      const session = await this.#client.call((stripe) =>
        stripe.checkout.sessions.create({ ...params, customer: customerId }, { idempotencyKey }),
      )
      // unusable methods are silently omitted, which would leave an empty page
      if (!session.payment_method_types.includes(stripeMethod(order.method))) {
        throw new PaymentRefused('method', `stripe offers no ${order.method} for ${order.currency}`)
      }
      return { id: session.id, customerId, ...(session.url !== null && { redirectUrl: session.url }) }
    }
    const known = order.customer.id
    if (known === null) return create(await this.#createCustomer(order.customer), order.paymentId)
    try {
      return await create(known, order.paymentId)
    } catch (error) {
      if (!(error instanceof CustomerGone)) throw error
      return create(await this.#createCustomer(order.customer), `${order.paymentId}:again`)
    }
  }

  async #createCustomer(customer: Customer): Promise<string> {
    const { name, email, walletId } = customer
    const facts = createHash('sha256')
      .update(JSON.stringify([name, email, customer.id]))
      .digest('hex')
    const created = await this.#client.call((stripe) =>
      stripe.customers.create(
        { name, email, metadata: { walletId } },
        { idempotencyKey: `customer:${walletId}:${facts.slice(0, 16)}` },
      ),
    )
    return created.id
  }

  #readSession(id: string): Promise<Stripe.Checkout.Session | undefined> {
    return this.#client.find((stripe) => stripe.checkout.sessions.retrieve(id, { expand: [...sessionParts] }))
  }

  async #cancelIntent(id: string): Promise<void> {
    await this.#client.call((stripe) => stripe.paymentIntents.cancel(id), 'too late')
  }

  async #reversals(intent: Stripe.PaymentIntent | null): Promise<readonly Reversal[]> {
    const charge = expanded<Stripe.Charge>(intent?.latest_charge)
    if (charge === null) return []
    return this.#client.call(async (stripe) => {
      const known = charge.refunds
      const refunds =
        known === undefined || known === null || known.has_more
          ? await stripe.refunds.list({ charge: charge.id, limit: 100 }).autoPagingToArray({ limit: 1000 })
          : known.data
      const disputes = charge.disputed
        ? await stripe.disputes.list({ charge: charge.id, limit: 100 })
        : undefined
      return reversalsOf(charge, refunds, disputes?.data ?? [])
    })
  }
}

function isSession(id: string): boolean {
  return id.startsWith('cs_')
}

function metadataOf(order: PaymentOrder): OurMetadata & Stripe.MetadataParam {
  return { paymentId: order.paymentId }
}

function paymentSession(
  order: PaymentOrder,
  usage: 'off_session' | undefined,
): Stripe.Checkout.SessionCreateParams {
  const currency = order.currency.toLowerCase()
  const type = stripeMethod(order.method)
  return {
    ...sessionBasis(order),
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: toStripe(order.amount, order.currency),
          product_data: { name: order.description },
        },
      },
    ],
    payment_intent_data: {
      description: order.description,
      metadata: metadataOf(order),
      ...(usage !== undefined && { setup_future_usage: usage }),
    },
    // the wallet is credited in the ordered currency, so other currencies aren't allowed
    adaptive_pricing: { enabled: false },
    ...(type === 'customer_balance' && { payment_method_options: { customer_balance: bankTransfer } }),
  }
}

/** Transfers to a German virtual account per customer, reachable from all SEPA countries. */
const bankTransfer: Stripe.Checkout.SessionCreateParams.PaymentMethodOptions.CustomerBalance = {
  funding_type: 'bank_transfer',
  bank_transfer: { type: 'eu_bank_transfer', eu_bank_transfer: { country: 'DE' } },
}

function setupSession(order: PaymentOrder): Stripe.Checkout.SessionCreateParams {
  return {
    ...sessionBasis(order),
    mode: 'setup',
    currency: order.currency.toLowerCase(),
    setup_intent_data: { description: order.description, metadata: metadataOf(order) },
  }
}

function sessionBasis(order: PaymentOrder): Stripe.Checkout.SessionCreateParams {
  return {
    client_reference_id: order.paymentId,
    metadata: metadataOf(order),
    allowed_payment_method_types: [stripeMethod(order.method)],
    locale: order.language,
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
  }
}

/** The first match among the newest objects in a list. */
async function firstOf<T>(list: AsyncIterable<T>, fits: (one: T) => boolean): Promise<T | undefined> {
  let seen = 0
  for await (const one of list) {
    if (fits(one)) return one
    seen += 1
    if (seen >= searchedObjects) return undefined
  }
  return undefined
}
