import type { Clock } from '../../platform/clock.ts'
import { invalid, type Json, missing, text } from './stripe-server-form.ts'

/** An object as Stripe stores it: other objects are referenced by id. */
export interface StripeObject {
  readonly id: string
  readonly object: string
  readonly created: number
  [key: string]: Json
}

export interface StripeEvent {
  readonly id: string
  readonly type: string
  /** The object as of the event. */
  readonly object: Json
}

/** A bank's response to an off-session card charge. */
export type CardTemper = 'accepts' | 'declines' | 'wants its owner' | 'takes days'

/** An account at Stripe: its data, and the actions of customers and banks. */
export class StripeAccount {
  readonly objects = new Map<string, StripeObject>()
  /** Events so far, oldest first. Tests deliver them, or don't, in any order. */
  readonly events: StripeEvent[] = []
  /** Payment methods enabled in the account. */
  readonly available = new Set(['card', 'paypal', 'customer_balance', 'sepa_debit'])
  /** If the account settles in another currency than its payments: that currency, and the exchange rate. */
  settlement: { readonly currency: string; readonly rate: number } | undefined
  /** By payment method. */
  readonly tempers = new Map<string, CardTemper>()
  readonly #clock: Clock
  readonly #newId: (prefix: string) => string

  constructor(clock: Clock, newId: (prefix: string) => string) {
    this.#clock = clock
    this.#newId = newId
  }

  get now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000)
  }

  add(prefix: string, object: string, facts: Readonly<Record<string, Json>>): StripeObject {
    const added = { id: this.#newId(prefix), object, created: this.now, livemode: false, ...facts }
    this.objects.set(added.id, added)
    return added
  }

  get(id: string, object: string, param = 'id'): StripeObject {
    const found = this.objects.get(id)
    if (found?.object !== object) throw missing(object, id, param)
    return found
  }

  /** Newest first. */
  all(object: string): StripeObject[] {
    return [...this.objects.values()].filter((one) => one.object === object).reverse()
  }

  happened(type: string, object: StripeObject): void {
    this.events.push({ id: this.#newId('evt_'), type, object: structuredClone(object) })
  }

  /** The customer pays on the page by card or PayPal, or saves a card for later. */
  pay(sessionId: string, temper: CardTemper = 'accepts'): void {
    const session = this.#open(sessionId)
    const method = this.#methodOf(session)
    this.tempers.set(method.id, temper)
    if (session.mode === 'setup') this.#setUp(session, method)
    else {
      const intent = this.#intentOf(session, method)
      if (intent.setup_future_usage === 'off_session') method.customer = session.customer
      this.#succeed(intent)
    }
    this.#complete(session, 'paid')
  }

  /** The bank declines the card on the page; the customer may try another one. */
  declineOnPage(sessionId: string): void {
    const session = this.#open(sessionId)
    const intent = this.#intentOf(session, this.#methodOf(session))
    this.decline(intent, 'generic_decline')
  }

  /** The customer instructs their bank to pay, which takes days; `arrive` or `bounce` ends it. */
  order(sessionId: string): void {
    const session = this.#open(sessionId)
    const intent = this.#intentOf(session, this.#methodOf(session))
    const isTransfer = typesOf(session).includes('customer_balance')
    intent.status = isTransfer ? 'requires_action' : 'processing'
    this.happened(isTransfer ? 'payment_intent.requires_action' : 'payment_intent.processing', intent)
    this.#complete(session, 'unpaid')
  }

  arrive(id: string): void {
    this.#succeed(this.intentFor(id))
    const session = this.objects.get(id)
    if (session?.object !== 'checkout.session') return
    session.payment_status = 'paid'
    this.happened('checkout.session.async_payment_succeeded', session)
  }

  bounce(id: string): void {
    this.decline(this.intentFor(id), 'insufficient_funds')
    const session = this.objects.get(id)
    if (session?.object === 'checkout.session')
      this.happened('checkout.session.async_payment_failed', session)
  }

  /** The payment timed out, or the account closed the page. */
  expire(sessionId: string): void {
    const session = this.#open(sessionId)
    session.status = 'expired'
    session.url = null
    const intent = this.objects.get(text(session.payment_intent))
    if (intent !== undefined) intent.status = 'canceled'
    this.happened('checkout.session.expired', session)
  }

  /** Charges off-session: the bank's response is known immediately, or after days. */
  charge(intent: StripeObject): void {
    const temper = this.tempers.get(text(intent.payment_method)) ?? 'accepts'
    if (temper === 'accepts') this.#succeed(intent)
    if (temper === 'takes days') intent.status = 'processing'
    if (temper === 'declines') this.decline(intent, 'insufficient_funds')
    if (temper === 'wants its owner') this.decline(intent, 'authentication_required')
  }

  decline(intent: StripeObject, reason: string): void {
    const code = reason === 'authentication_required' ? reason : 'card_declined'
    intent.status = 'requires_payment_method'
    intent.last_payment_error = {
      type: 'card_error',
      code,
      decline_code: reason,
      message: 'Your card was declined.',
    }
    this.happened('payment_intent.payment_failed', intent)
  }

  refund(intentId: string, amount: number, status: 'succeeded' | 'pending' = 'succeeded'): StripeObject {
    const charge = this.#chargeOf(this.get(intentId, 'payment_intent', 'payment_intent'))
    const left = Number(charge.amount) - Number(charge.amount_refunded)
    if (left === 0) throw invalid('Charge has already been refunded.', { code: 'charge_already_refunded' })
    if (amount > left || amount < 1) {
      throw invalid(`Refund amount is greater than unrefunded amount on charge`, { param: 'amount' })
    }
    charge.amount_refunded = Number(charge.amount_refunded) + amount
    const refund = this.add('re_', 'refund', {
      amount,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: intentId,
      status,
    })
    this.happened('refund.created', refund)
    this.happened('charge.refunded', charge)
    return refund
  }

  /** The customer's bank rejects a refund, and the money returns. */
  failRefund(id: string): void {
    const refund = this.get(id, 'refund')
    refund.status = 'failed'
    const charge = this.get(text(refund.charge), 'charge')
    charge.amount_refunded = Number(charge.amount_refunded) - Number(refund.amount)
    this.happened('refund.failed', refund)
    this.happened('charge.refund.updated', refund)
  }

  /** The customer disputes a payment: the money is withdrawn, unless it is only an inquiry. */
  dispute(id: string, amount: number, isInquiry = false): StripeObject {
    const intent = this.intentFor(id)
    const charge = this.#chargeOf(intent)
    charge.disputed = true
    const dispute = this.add('dp_', 'dispute', {
      amount,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: intent.id,
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
      balance_transactions: [],
    })
    if (!isInquiry) this.#move(dispute, -amount)
    this.happened('charge.dispute.created', dispute)
    if (!isInquiry) this.happened('charge.dispute.funds_withdrawn', dispute)
    return dispute
  }

  winDispute(id: string): void {
    const dispute = this.get(id, 'dispute')
    dispute.status = 'won'
    this.#move(dispute, Number(dispute.amount))
    this.happened('charge.dispute.closed', dispute)
    this.happened('charge.dispute.funds_reinstated', dispute)
  }

  /** Returns the payment intent with an id, or that of a session. */
  intentFor(id: string): StripeObject {
    const object = this.objects.get(id)
    return this.get(
      object?.object === 'checkout.session' ? text(object.payment_intent) : id,
      'payment_intent',
    )
  }

  #move(dispute: StripeObject, amount: number): void {
    const earlier = Array.isArray(dispute.balance_transactions) ? dispute.balance_transactions : []
    dispute.balance_transactions = [
      ...earlier,
      {
        id: this.#newId('txn_'),
        object: 'balance_transaction',
        amount: Math.round(amount * (this.settlement?.rate ?? 1)),
        fee: amount < 0 ? 2000 : 0,
        currency: this.settlement?.currency ?? dispute.currency,
        created: this.now,
      },
    ]
  }

  #open(sessionId: string): StripeObject {
    const session = this.get(sessionId, 'checkout.session')
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${text(session.status)}.`,
      )
    }
    return session
  }

  /** Returns the payment method the customer enters. */
  #methodOf(session: StripeObject): StripeObject {
    const [type = 'card'] = typesOf(session)
    return this.add('pm_', 'payment_method', {
      type,
      customer: null,
      ...(type === 'card' && { card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 } }),
      ...(type === 'sepa_debit' && { sepa_debit: { last4: '3000', country: 'DE' } }),
      ...(type === 'paypal' && { paypal: { payer_email: 'payer@example.test' } }),
    })
  }

  /** A session's intent is created when the customer tries to pay. */
  #intentOf(session: StripeObject, method: StripeObject): StripeObject {
    const wanted = session.later as Readonly<Record<string, Json>> // set when the session is created
    const known = this.objects.get(text(session.payment_intent))
    const intent =
      known ??
      this.add('pi_', 'payment_intent', {
        amount: session.amount_total,
        amount_received: 0,
        currency: session.currency,
        customer: session.customer,
        description: wanted.description,
        metadata: wanted.metadata,
        setup_future_usage: wanted.setup_future_usage,
        status: 'requires_payment_method',
        last_payment_error: null,
        latest_charge: null,
      })
    intent.payment_method = method.id
    session.payment_intent = intent.id
    return intent
  }

  #setUp(session: StripeObject, method: StripeObject): void {
    method.customer = session.customer
    const setup = this.get(text(session.setup_intent), 'setup_intent')
    const attempt = this.add('setatt_', 'setup_attempt', { setup_intent: setup.id, status: 'succeeded' })
    setup.status = 'succeeded'
    setup.payment_method = method.id
    setup.latest_attempt = attempt.id
    this.happened('setup_intent.succeeded', setup)
    this.happened('payment_method.attached', method)
  }

  #succeed(intent: StripeObject): void {
    const method = this.objects.get(text(intent.payment_method))
    const type = text(method?.type ?? 'card')
    const charge = this.add('ch_', 'charge', {
      amount: intent.amount,
      amount_refunded: 0,
      currency: intent.currency,
      customer: intent.customer,
      disputed: false,
      metadata: intent.metadata,
      paid: true,
      payment_intent: intent.id,
      payment_method_details: { type, [type]: method?.[type] ?? {} },
      status: 'succeeded',
    })
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      last_payment_error: null,
      latest_charge: charge.id,
    })
    this.happened('charge.succeeded', charge)
    this.happened('payment_intent.succeeded', intent)
  }

  #complete(session: StripeObject, status: 'paid' | 'unpaid'): void {
    session.status = 'complete'
    session.payment_status = session.mode === 'setup' ? 'no_payment_required' : status
    session.url = null
    this.happened('checkout.session.completed', session)
  }

  #chargeOf(intent: StripeObject): StripeObject {
    if (intent.status !== 'succeeded') {
      throw invalid(`This PaymentIntent does not have a successful charge to refund.`, {
        code: 'payment_intent_unexpected_state',
      })
    }
    return this.get(text(intent.latest_charge), 'charge')
  }
}

function typesOf(session: StripeObject): Json[] {
  return Array.isArray(session.payment_method_types) ? session.payment_method_types : []
}
