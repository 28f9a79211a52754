import { z } from 'zod'
import type { WebhookMessage } from '../../billing/payments/providers/provider.ts'
import type { Clock } from '../../platform/clock.ts'
import {
  type LocalMandate,
  type LocalPayment,
  MollieAccount,
  type MollieMoney,
} from './mollie-server-account.ts'
import { type ApiAnswer, ApiRefusal, type ApiRequest, PaymentServer } from './payment-server.ts'

type Handler = (parts: {
  readonly ids: readonly string[]
  readonly body: unknown
  readonly query: URLSearchParams
}) => ApiAnswer

const decimals: Readonly<Record<string, number>> = { EUR: 2, CHF: 2, USD: 2, JPY: 0 }

/** Payment methods: the minimum of one-off payments in hundredths, of first payments, and the currencies. */
const methods = [
  { id: 'creditcard', name: 'Card', oneoff: 1, first: 0, currencies: ['EUR', 'CHF', 'USD', 'JPY'] },
  { id: 'paypal', name: 'PayPal', oneoff: 1, first: 0, currencies: ['EUR', 'CHF', 'USD'] },
  { id: 'banktransfer', name: 'Bank transfer', oneoff: 2, first: undefined, currencies: ['EUR'] },
  { id: 'ideal', name: 'iDEAL', oneoff: 1, first: 1, currencies: ['EUR'] },
] as const

const money = z.strictObject({ value: z.string(), currency: z.string().regex(/^[A-Z]{3}$/) })
const address = z.url({ protocol: /^https?$/ })

const paymentInput = z.object({
  amount: money,
  description: z.string().min(1).max(255),
  redirectUrl: address.optional(),
  webhookUrl: address.optional(),
  locale: z.enum(['de_DE', 'en_US', 'fr_FR', 'it_IT']).optional(),
  method: z.string().optional(),
  metadata: z.unknown(),
  sequenceType: z.enum(['oneoff', 'first', 'recurring']).default('oneoff'),
  customerId: z.string().optional(),
  mandateId: z.string().optional(),
})

const customerInput = z.object({ name: z.string().max(255), email: z.email(), metadata: z.unknown() })

/**
 * Mollie on loopback, as far as we use it: errors, list pages, idempotency keys, messages. Its `account`
 * simulates customers and banks.
 */
export class MollieServer extends PaymentServer {
  readonly key = 'test_localLOCALlocalLOCAL'
  readonly account: MollieAccount
  readonly #handlers: Readonly<Record<string, Handler>>

  constructor(clock: Clock) {
    super(clock)
    this.account = new MollieAccount(clock, (prefix) => this.newId(prefix))
    this.#handlers = this.#routes()
  }

  static start(clock: Clock): Promise<MollieServer> {
    return new MollieServer(clock).listen()
  }

  /** Returns the message about a payment (docs.mollie.com/reference/webhooks). */
  message(id: string): WebhookMessage {
    return {
      body: Buffer.from(new URLSearchParams({ id }).toString()),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Mollie HTTP client/1.0',
      },
    }
  }

  protected isAuthentic({ headers }: ApiRequest): boolean {
    return headers.authorization === `Bearer ${this.key}`
  }

  protected refusal(status: number, words: string): ApiAnswer {
    return { status, body: { status, title: words, detail: words, _links: {} }, isKept: false }
  }

  protected otherRequest(kept: ApiAnswer): ApiAnswer {
    return kept
  }

  protected act({ method, path, query, body }: ApiRequest): ApiAnswer {
    for (const [route, handle] of Object.entries(this.#handlers)) {
      const [wanted, pattern = ''] = route.split(' ')
      const found =
        wanted === method ? new RegExp(`^/v2${pattern.replaceAll(':id', '([^/]+)')}$`).exec(path) : null
      if (found !== null)
        return handle({ ids: found.slice(1), body: body === '' ? undefined : JSON.parse(body), query })
    }
    throw problem(404, 'No such endpoint')
  }

  #routes(): Record<string, Handler> {
    return {
      'GET /methods': ({ query }) => this.#methods(query),
      'POST /customers': ({ body }) => this.#createCustomer(body),
      'POST /payments': ({ body }) => this.#createPayment(body),
      'GET /payments': ({ query }) => this.#list([...this.account.payments.values()], query),
      'GET /payments/:id': ({ ids: [id = ''], query }) =>
        ok(this.#present(this.#payment(id), query.get('embed') ?? '')),
      'DELETE /payments/:id': ({ ids: [id = ''] }) => {
        const payment = this.#payment(id)
        if (!isCancelable(payment)) throw problem(422, 'The payment cannot be canceled')
        this.account.end(id, 'canceled')
        return ok(this.#present(payment, ''))
      },
      'POST /payments/:id/refunds': ({ ids: [id = ''], body }) => this.#refund(this.#payment(id), body),
      'GET /customers/:id/payments': ({ ids: [id = ''], query }) => {
        this.#customer(id)
        return this.#list(
          [...this.account.payments.values()].filter((payment) => payment.customerId === id),
          query,
        )
      },
      'GET /customers/:id/mandates/:id': ({ ids: [customer = '', id = ''] }) => {
        const { method, status, details, createdAt } = this.#mandate(customer, id)
        return ok({ resource: 'mandate', id, mode: 'test', method, status, details, createdAt, _links: {} })
      },
      'DELETE /customers/:id/mandates/:id': ({ ids: [customer = '', id = ''] }) => {
        this.#mandate(customer, id).isRevoked = true
        return { status: 204, body: undefined }
      },
    }
  }

  #methods(query: URLSearchParams): ApiAnswer {
    const kind = query.get('sequenceType') === 'first' ? 'first' : 'oneoff'
    const currency = query.get('amount[currency]')
    const value = query.get('amount[value]')
    if (currency === null || value === null) throw problem(400, 'The amount is needed', 'amount')
    const asked = hundredths({ value, currency })
    const fitting = methods.filter((method) => {
      const least = method[kind]
      return least !== undefined && asked >= least && method.currencies.some((one) => one === currency)
    })
    return ok({
      count: fitting.length,
      _embedded: {
        methods: fitting.map((method) => ({
          resource: 'method',
          id: method.id,
          description: method.name,
          minimumAmount: { value: written(method.oneoff, currency), currency },
          image: {},
        })),
      },
    })
  }

  #createCustomer(body: unknown): ApiAnswer {
    const { name, email } = understood(customerInput, body)
    const customer = { id: this.newId('cst_'), name, email, createdAt: this.account.now, isDeleted: false }
    this.account.customers.set(customer.id, customer)
    return created({ resource: 'customer', ...customer, _links: {} })
  }

  #createPayment(body: unknown): ApiAnswer {
    const wanted = understood(paymentInput, body)
    const { sequenceType, customerId } = wanted
    if (customerId !== undefined) this.#customer(customerId)
    if (sequenceType !== 'oneoff' && customerId === undefined)
      throw problem(422, 'The customer is needed', 'customerId')
    if (sequenceType !== 'recurring' && wanted.redirectUrl === undefined) {
      throw problem(422, 'The redirect URL is needed', 'redirectUrl')
    }
    if (wanted.webhookUrl !== undefined && !new URL(wanted.webhookUrl).hostname.includes('.')) {
      throw problem(
        422,
        'The webhook URL is invalid because it is unreachable from Mollie’s point of view',
        'webhookUrl',
      )
    }
    const mandate =
      sequenceType === 'recurring' ? this.#chargeable(customerId ?? '', wanted.mandateId) : undefined
    this.#checkAmount(wanted.amount, wanted.method ?? mandate?.method, sequenceType)
    const payment: LocalPayment = {
      id: this.newId('tr_'),
      amount: wanted.amount,
      description: wanted.description,
      metadata: wanted.metadata ?? null,
      method: mandate?.method ?? wanted.method ?? 'creditcard',
      sequenceType,
      customerId: customerId ?? null,
      redirectUrl: wanted.redirectUrl ?? null,
      webhookUrl: wanted.webhookUrl ?? null,
      locale: wanted.locale ?? null,
      createdAt: this.account.now,
      status: 'open',
      mandateId: mandate?.id ?? null,
      paidAt: null,
      details: null,
      refunds: [],
      chargebacks: [],
    }
    this.account.payments.set(payment.id, payment)
    if (mandate !== undefined) this.account.charge(payment, mandate.temper)
    return created(this.#present(payment, ''))
  }

  #checkAmount(amount: MollieMoney, methodId: string | undefined, kind: LocalPayment['sequenceType']): void {
    const method = methods.find((one) => one.id === methodId)
    if (methodId !== undefined && methodId !== 'directdebit' && method === undefined) {
      throw problem(422, 'The payment method is invalid', 'method')
    }
    const asked = hundredths(amount)
    if (method === undefined) return
    if (!method.currencies.some((one) => one === amount.currency)) {
      throw problem(422, `The currency is not supported by ${method.id}`, 'amount.currency')
    }
    const least = kind === 'first' ? method.first : method.oneoff
    if (least === undefined)
      throw problem(422, 'The payment method is not enabled for first payments', 'method')
    if (asked < least) throw problem(422, 'The amount is lower than the minimum', 'amount')
  }

  #refund(payment: LocalPayment, body: unknown): ApiAnswer {
    const { amount } = understood(z.object({ amount: money }), body)
    if (payment.status !== 'paid') throw problem(422, 'The payment is not paid')
    const gone = payment.refunds
      .filter((refund) => refund.status !== 'failed' && refund.status !== 'canceled')
      .reduce((sum, refund) => sum + hundredths(refund.amount), 0)
    const asked = hundredths(amount)
    if (amount.currency !== payment.amount.currency) throw problem(422, 'The currency is another', 'amount')
    if (asked < 1 || asked > hundredths(payment.amount) - gone) {
      throw problem(422, 'The specified amount cannot be refunded', 'amount')
    }
    return created({ resource: 'refund', ...this.account.refund(payment.id, amount), paymentId: payment.id })
  }

  #payment(id: string): LocalPayment {
    const found = this.account.payments.get(id)
    if (found === undefined) throw problem(404, 'No payment exists with this token')
    return found
  }

  #customer(id: string): void {
    const found = this.account.customers.get(id)
    if (found === undefined) throw problem(404, 'No customer exists with this token')
    if (found.isDeleted) throw problem(410, 'The customer is no longer available')
  }

  #mandate(customerId: string, id: string): LocalMandate {
    this.#customer(customerId)
    const found = this.account.mandates.get(id)
    if (found?.customerId !== customerId) throw problem(404, 'No mandate exists with this token')
    if (found.isRevoked) throw problem(410, 'The mandate is no longer available')
    return found
  }

  #chargeable(customerId: string, id: string | undefined): LocalMandate {
    const found = [...this.account.mandates.values()].find(
      (one) =>
        one.customerId === customerId &&
        one.status === 'valid' &&
        !one.isRevoked &&
        (id ?? one.id) === one.id,
    )
    if (found === undefined) throw problem(422, 'No suitable mandates found for customer', 'mandateId')
    return found
  }

  /** Returns a page of payments, newest first (docs.mollie.com/reference/pagination). */
  #list(payments: readonly LocalPayment[], query: URLSearchParams): ApiAnswer {
    const all = [...payments].reverse()
    const limit = Number(query.get('limit') ?? 50)
    if (limit < 1 || limit > 250) throw problem(400, 'The limit is invalid', 'limit')
    const from = query.get('from')
    const start = from === null ? 0 : all.findIndex((payment) => payment.id === from)
    const next = all[start + limit]
    return ok({
      count: all.slice(start, start + limit).length,
      _embedded: { payments: all.slice(start, start + limit).map((payment) => this.#present(payment, '')) },
      _links: {
        next: next === undefined ? null : { href: `${this.url}/v2/payments?from=${next.id}&limit=${limit}` },
      },
    })
  }

  #present(payment: LocalPayment, embed: string): Record<string, unknown> {
    const { refunds, chargebacks, mandateId, ...shown } = payment
    const parts = embed.split(',')
    return {
      resource: 'payment',
      mode: 'test',
      ...shown,
      ...(mandateId !== null && { mandateId }),
      ...((payment.status === 'open' || payment.status === 'pending') && {
        isCancelable: isCancelable(payment),
      }),
      _links: {
        self: { href: `${this.url}/v2/payments/${payment.id}`, type: 'application/hal+json' },
        ...(payment.status === 'open' &&
          payment.sequenceType !== 'recurring' && {
            checkout: { href: `https://www.mollie.com/checkout/select/${payment.id}`, type: 'text/html' },
          }),
      },
      ...(embed !== '' && {
        _embedded: {
          ...(parts.includes('refunds') && { refunds: [...refunds] }),
          ...(parts.includes('chargebacks') && { chargebacks: [...chargebacks] }),
        },
      }),
    }
  }
}

/** Card payments can't be cancelled once the page is shown; transfers and others may be. */
function isCancelable({ status, method }: LocalPayment): boolean {
  return (status === 'open' || status === 'pending') && method !== 'creditcard'
}

function ok(body: unknown): ApiAnswer {
  return { status: 200, body }
}

/** Responses are stored under idempotency keys unchanged, whatever happens to their objects. */
function created(body: unknown): ApiAnswer {
  return { status: 201, body: structuredClone(body) }
}

function problem(status: number, detail: string, field?: string): ApiRefusal {
  const body = { status, title: 'Unprocessable', detail, ...(field !== undefined && { field }), _links: {} }
  return new ApiRefusal({ status, body, isKept: false })
}

function understood<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw problem(422, issue?.message ?? 'not understood', issue?.path.join('.'))
}

/** Parses an amount in hundredths, which must have exactly its currency's decimals. */
function hundredths({ value, currency }: MollieMoney): number {
  const places = decimals[currency]
  if (places === undefined) throw problem(422, 'The currency is not supported', 'amount.currency')
  const form = places === 0 ? /^\d+$/ : /^\d+\.\d{2}$/
  if (!form.test(value)) throw problem(422, 'The amount contains an invalid value', 'amount')
  return Math.round(Number(value) * 100)
}

function written(amount: number, currency: string): string {
  const places = decimals[currency] ?? 2
  return places === 0 ? String(Math.max(1, amount)) : (amount / 100).toFixed(places)
}
