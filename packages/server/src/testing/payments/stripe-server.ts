import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import type { WebhookMessage } from '../../billing/payments/providers/provider.ts'
import type { Clock } from '../../platform/clock.ts'
import { type ApiAnswer, ApiRefusal, type ApiRequest, PaymentServer } from './payment-server.ts'
import { StripeAccount, type StripeEvent, type StripeObject } from './stripe-server-account.ts'
import { forms, invalid, type Json, parameters, readForm, text } from './stripe-server-form.ts'

const apiVersion = '2026-10-28.endive'

type Handler = (parts: {
  readonly id: string
  readonly given: unknown
  readonly query: URLSearchParams
}) => Json

/** Stripe's minimum charges in the test currencies, in minor units. */
const minimums: Readonly<Record<string, number>> = { chf: 50, eur: 50, usd: 50, jpy: 50 }
const methodCurrencies: Readonly<Record<string, readonly string[]>> = {
  customer_balance: ['eur'],
  sepa_debit: ['eur'],
  paypal: ['eur', 'chf', 'usd'],
}

/**
 * Stripe on loopback, as far as we use it: forms and errors, expansion, list pages, idempotency keys, signed
 * messages. Its `account` simulates customers and banks.
 */
export class StripeServer extends PaymentServer {
  readonly key = 'sk_test_local'
  readonly webhookSecret = 'whsec_local'
  readonly account: StripeAccount
  readonly #handlers: Readonly<Record<string, Handler>>

  constructor(clock: Clock) {
    super(clock)
    this.account = new StripeAccount(clock, (prefix) => this.newId(prefix))
    this.#handlers = this.#routes()
  }

  static start(clock: Clock): Promise<StripeServer> {
    return new StripeServer(clock).listen()
  }

  /** Returns the signed message about an event (docs.stripe.com/webhooks#verify-manually). */
  message(event: StripeEvent, secret = this.webhookSecret, at = this.account.now): WebhookMessage {
    const words = JSON.stringify({
      id: event.id,
      object: 'event',
      api_version: apiVersion,
      created: at,
      type: event.type,
      data: { object: event.object },
    })
    return this.sign(words, secret, at)
  }

  sign(words: string, secret = this.webhookSecret, at = this.account.now): WebhookMessage {
    const signature = createHmac('sha256', secret).update(`${at}.${words}`).digest('hex')
    return {
      body: Buffer.from(words),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${at},v1=${signature}`,
      },
    }
  }

  protected isAuthentic({ headers }: ApiRequest): boolean {
    return headers.authorization === `Bearer ${this.key}`
  }

  protected refusal(status: number, words: string): ApiAnswer {
    const type = status === 429 || status >= 500 ? 'api_error' : 'invalid_request_error'
    return { status, body: { error: { type, message: words } }, isKept: false }
  }

  protected otherRequest(): ApiAnswer {
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    return { status: 400, body: { error: { type: 'idempotency_error', message } } }
  }

  protected act({ method, path, query, body }: ApiRequest): ApiAnswer {
    for (const [route, handle] of Object.entries(this.#handlers)) {
      const id = matched(route, method, path)
      if (id === undefined) continue
      const given = readForm(method === 'GET' ? query.toString() : body)
      const result = handle({ id, given, query })
      return { status: 200, body: this.#present(result, expansions(given)) }
    }
    throw invalid(`Unrecognized request URL (${method}: ${path}).`, { status: 404 })
  }

  #routes(): Record<string, Handler> {
    const { account } = this
    return {
      'POST /v1/customers': ({ given }) => {
        const { name, email, metadata = {} } = parameters(forms.customer, given)
        return account.add('cus_', 'customer', { name, email, metadata })
      },
      'POST /v1/checkout/sessions': ({ given }) => this.#createSession(parameters(forms.session, given)),
      'GET /v1/checkout/sessions': ({ query }) => this.#list('checkout.session', query),
      'GET /v1/checkout/sessions/:id': ({ id }) => account.get(id, 'checkout.session'),
      'POST /v1/checkout/sessions/:id': ({ id, given }) => {
        const session = account.get(id, 'checkout.session')
        const { metadata = {} } = parameters(forms.sessionUpdate, given)
        session.metadata = { ...(session.metadata as Record<string, string>), ...metadata } // created by this server
        return session
      },
      'POST /v1/checkout/sessions/:id/expire': ({ id }) => {
        account.expire(id)
        return account.get(id, 'checkout.session')
      },
      'POST /v1/payment_intents': ({ given }) => this.#createIntent(parameters(forms.intent, given)),
      'GET /v1/payment_intents': ({ query }) => this.#list('payment_intent', query),
      'GET /v1/payment_intents/:id': ({ id }) => account.get(id, 'payment_intent'),
      'POST /v1/payment_intents/:id/cancel': ({ id }) => this.#cancel(account.get(id, 'payment_intent')),
      'POST /v1/refunds': ({ given }) => {
        const { payment_intent: intentId, amount } = parameters(forms.refund, given)
        return account.refund(intentId, amount)
      },
      'GET /v1/refunds': ({ query }) => this.#list('refund', query),
      'GET /v1/disputes': ({ query }) => this.#list('dispute', query),
      'GET /v1/payment_methods/:id': ({ id }) => account.get(id, 'payment_method', 'payment_method'),
      'POST /v1/payment_methods/:id/detach': ({ id, given }) => {
        parameters(forms.nothing, given)
        const method = account.get(id, 'payment_method', 'payment_method')
        if (method.customer === null) {
          throw invalid(
            'The payment method you provided is not attached to a customer so detachment is impossible.',
          )
        }
        method.customer = null
        account.happened('payment_method.detached', method)
        return method
      },
      'GET /v1/payment_method_configurations': () => ({
        object: 'list',
        has_more: false,
        data: [
          {
            id: 'pmc_default',
            object: 'payment_method_configuration',
            active: true,
            is_default: true,
            parent: null,
            ...Object.fromEntries(
              ['card', 'paypal', 'customer_balance', 'sepa_debit'].map((type) => [
                type,
                { available: account.available.has(type) },
              ]),
            ),
          },
        ],
      }),
    }
  }

  #createSession(wanted: z.infer<typeof forms.session>): StripeObject {
    const { account } = this
    if (wanted.customer !== undefined) account.get(wanted.customer, 'customer', 'customer')
    const isSetup = wanted.mode === 'setup'
    const misplaced = isSetup
      ? ['line_items', 'payment_intent_data', 'adaptive_pricing']
      : ['setup_intent_data']
    for (const param of misplaced) {
      if (param in wanted) throw invalid(`You can not pass ${param} in ${wanted.mode} mode.`, { param })
    }
    const [item] = wanted.line_items ?? []
    if (!isSetup && item === undefined) {
      throw invalid('You must pass line_items in payment mode.', {
        code: 'parameter_missing',
        param: 'line_items',
      })
    }
    const currency = item?.price_data.currency ?? wanted.currency ?? null
    const total = (wanted.line_items ?? []).reduce(
      (sum, one) => sum + one.quantity * one.price_data.unit_amount,
      0,
    )
    if (!isSetup) checkAmount(total, String(currency))
    const setup = isSetup
      ? account.add('seti_', 'setup_intent', {
          customer: wanted.customer,
          metadata: wanted.setup_intent_data?.metadata ?? {},
          status: 'requires_payment_method',
          payment_method: null,
          latest_attempt: null,
        })
      : null
    const session = account.add('cs_test_', 'checkout.session', {
      mode: wanted.mode,
      status: 'open',
      payment_status: isSetup ? 'no_payment_required' : 'unpaid',
      customer: wanted.customer ?? null,
      client_reference_id: wanted.client_reference_id ?? null,
      metadata: wanted.metadata ?? {},
      currency,
      amount_total: isSetup ? null : total,
      payment_intent: null,
      setup_intent: setup?.id ?? null,
      payment_method_types: this.#typesFor(wanted, String(currency)),
      later: { metadata: {}, setup_future_usage: null, description: null, ...wanted.payment_intent_data },
    })
    session.url = `https://checkout.stripe.com/c/pay/${session.id}`
    return session
  }

  /** Requested but unusable methods are silently left out. */
  #typesFor(wanted: z.infer<typeof forms.session>, currency: string): string[] {
    const types = wanted.allowed_payment_method_types ?? [...this.account.available]
    return types.filter(
      (type) =>
        this.account.available.has(type) &&
        (methodCurrencies[type]?.includes(currency) ?? true) &&
        (type !== 'customer_balance' || wanted.payment_method_options?.customer_balance !== undefined),
    )
  }

  #createIntent(wanted: z.infer<typeof forms.intent>): StripeObject {
    const { account } = this
    const { amount, currency, customer, metadata = {}, description = null } = wanted
    account.get(customer, 'customer', 'customer')
    const method = account.get(wanted.payment_method, 'payment_method', 'payment_method')
    if (method.customer !== customer) {
      throw invalid('The PaymentMethod does not belong to the Customer.', { param: 'payment_method' })
    }
    checkAmount(amount, currency)
    const intent = account.add('pi_', 'payment_intent', {
      amount,
      amount_received: 0,
      currency,
      customer,
      description,
      metadata,
      payment_method: method.id,
      setup_future_usage: null,
      status: 'requires_confirmation',
      last_payment_error: null,
      latest_charge: null,
    })
    account.charge(intent)
    const error = intent.last_payment_error
    if (error === null || typeof error !== 'object' || Array.isArray(error)) return intent
    // an attempted charge is a response to store, like a success
    throw new ApiRefusal({
      status: 402,
      body: { error: { ...error, payment_intent: structuredClone(intent) } },
    })
  }

  #cancel(intent: StripeObject): StripeObject {
    const cancelable = [
      'requires_payment_method',
      'requires_action',
      'requires_confirmation',
      'requires_capture',
    ]
    if (!cancelable.includes(text(intent.status))) {
      throw invalid(
        `You cannot cancel this PaymentIntent because it has a status of ${text(intent.status)}.`,
        {
          code: 'payment_intent_unexpected_state',
        },
      )
    }
    intent.status = 'canceled'
    this.account.happened('payment_intent.canceled', intent)
    return intent
  }

  /** Returns a page of a list, newest first (docs.stripe.com/api/pagination). */
  #list(object: string, query: URLSearchParams): Json {
    const filters = ['customer', 'payment_intent', 'charge'].flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [{ name, value }]
    })
    const since = Number(query.get('created[gte]') ?? 0)
    const all = this.account
      .all(object)
      .filter((one) => one.created >= since && filters.every(({ name, value }) => one[name] === value))
    const limit = Number(query.get('limit') ?? 10)
    if (limit < 1 || limit > 100) throw invalid('This value must be between 1 and 100.', { param: 'limit' })
    const after = query.get('starting_after')
    const start = after === null ? 0 : all.findIndex((one) => one.id === after) + 1
    return {
      object: 'list',
      url: '/v1/list',
      data: all.slice(start, start + limit),
      has_more: all.length > start + limit,
    }
  }

  /** Replaces ids by objects, as requested (docs.stripe.com/api/expanding_objects). */
  #present(value: Json, paths: readonly string[]): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const result: Record<string, Json> = { ...value }
    delete result.later
    if (result.object === 'list' && Array.isArray(result.data)) {
      result.data = result.data.map((one: Json) => this.#present(one, below('data', paths)))
      return result
    }
    for (const field of new Set(paths.map((path) => path.split('.')[0] ?? ''))) {
      const known = result[field]
      const query = new URLSearchParams({ charge: text(result.id) })
      const target =
        field === 'refunds' && result.object === 'charge'
          ? this.#list('refund', query)
          : this.account.objects.get(text(known))
      if (target === undefined && known !== null) {
        throw invalid(`This property cannot be expanded (${field}).`, { param: 'expand' })
      }
      result[field] = target === undefined ? null : this.#present(target, below(field, paths))
    }
    return result
  }
}

function below(field: string, paths: readonly string[]): string[] {
  return paths.filter((path) => path.startsWith(`${field}.`)).map((path) => path.slice(field.length + 1))
}

function expansions(given: unknown): readonly string[] {
  const paths: unknown =
    typeof given === 'object' && given !== null ? Reflect.get(given, 'expand') : undefined
  return Array.isArray(paths) ? paths.map(String) : []
}

function checkAmount(amount: number, currency: string): void {
  const least = minimums[currency]
  if (least === undefined) throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' })
  if (amount < least)
    throw invalid(`Amount must be at least ${least}.`, { code: 'amount_too_small', param: 'amount' })
}

/** Returns the id in a path; empty if the route has none; undefined for another route. */
function matched(route: string, method: string, path: string): string | undefined {
  const [wanted, pattern = ''] = route.split(' ')
  if (wanted !== method) return undefined
  const found = new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`).exec(path)
  return found === null ? undefined : (found[1] ?? '')
}
