import { createHash } from 'node:crypto'
import type { MethodKind } from '@gatehouse/contract/billing/payments'
import { z } from 'zod'
import type {
  Customer,
  OfferedMethod,
  PaymentOrder,
  PaymentProvider,
  ProviderMandate,
  ProviderPayment,
  StartedPayment,
  WebhookMessage,
} from '../providers/provider.ts'
import { PaymentRefused } from '../providers/provider-errors.ts'
import { providerMethods } from '../providers/provider-methods.ts'
import { type MollieAccess, MollieClient, NotAtMollie } from './mollie-client.ts'
import {
  fromMollie,
  type MolliePayment,
  mandateOfMollie,
  methodIdOf,
  mollieAmount,
  mollieMandate,
  molliePayment,
  paymentOfMollie,
  toMollie,
} from './mollie-payment.ts'

export interface MollieOptions extends MollieAccess {
  /** Mollie's webhook URL; undefined if Mollie can't reach it, e.g. on a developer's machine. */
  readonly webhookUrl: string | undefined
}

const nothing = z.unknown()

const methodList = z.object({
  _embedded: z.object({
    methods: z.array(
      z.object({ id: z.string(), description: z.string(), minimumAmount: mollieAmount.nullish() }),
    ),
  }),
})

const paymentList = z.object({
  _embedded: z.object({ payments: z.array(molliePayment) }),
  _links: z.object({ next: z.object({ href: z.string() }).nullish() }),
})

/** Minor units for requesting methods: the API requires an amount, and this one is within all limits. */
const usualAmount = 5000

/** Pages of 250 to search for a payment whose response was lost. */
const searchedPages = 4

const locales: Readonly<Record<string, string>> = { de: 'de_DE', en: 'en_US', fr: 'fr_FR', it: 'it_IT' }

const paymentIds = /^tr_[A-Za-z0-9]{1,60}$/

/** Payments through Mollie (docs.mollie.com/reference/overview). */
export class MollieProvider implements PaymentProvider {
  readonly name = 'mollie'
  readonly #client: MollieClient
  readonly #webhookUrl: string | undefined

  constructor(options: MollieOptions) {
    this.#client = new MollieClient(options)
    this.#webhookUrl = options.webhookUrl
  }

  /** Bank transfers are always in euros, so methods in euros are requested too. */
  async methods(kind: MethodKind, currency: string): Promise<readonly OfferedMethod[]> {
    const lists = [await this.#methodsIn(kind, currency)]
    if (currency !== 'EUR') lists.push(await this.#methodsIn(kind, 'EUR'))
    const offered = new Map<string, OfferedMethod>()
    for (const method of lists.flat()) if (!offered.has(method.id)) offered.set(method.id, method)
    return [...offered.values()]
  }

  async startPayment(order: PaymentOrder): Promise<StartedPayment> {
    return this.#startAtPage(order, 'oneoff')
  }

  async startMandate(order: PaymentOrder): Promise<StartedPayment> {
    return this.#startAtPage(order, 'first')
  }

  async chargeMandate(order: PaymentOrder, mandateId: string): Promise<StartedPayment> {
    const customerId = order.customer.id
    if (customerId === null) throw new PaymentRefused('mandate', 'mollie: a mandate without a customer')
    const payment = await this.#client.call(
      {
        method: 'POST',
        path: '/payments',
        idempotencyKey: order.paymentId,
        refusal: 'mandate',
        body: { ...this.#basis(order), sequenceType: 'recurring', customerId, mandateId },
      },
      molliePayment,
    )
    return { id: payment.id, customerId }
  }

  async readPayment(id: string): Promise<ProviderPayment | undefined> {
    if (!paymentIds.test(id)) return undefined
    const payment = await this.#client.find(
      { method: 'GET', path: `/payments/${id}?embed=refunds,chargebacks` },
      molliePayment,
    )
    return payment === undefined ? undefined : paymentOfMollie(payment)
  }

  async findPayment(paymentId: string, customerId: string | null): Promise<ProviderPayment | undefined> {
    const path = customerId === null ? '/payments' : `/customers/${encodeURIComponent(customerId)}/payments`
    let from = ''
    for (let page = 0; page < searchedPages; page += 1) {
      const list = await this.#client.find({ method: 'GET', path: `${path}?limit=250${from}` }, paymentList)
      const found = list?._embedded.payments.find((payment) => payment.metadata?.paymentId === paymentId)
      if (found !== undefined) return this.readPayment(found.id)
      const next = pageAfter(list?._links.next?.href)
      if (next === undefined) return undefined
      from = `&from=${encodeURIComponent(next)}`
    }
    return undefined
  }

  async cancelPayment(id: string): Promise<void> {
    await this.#client.call(
      { method: 'DELETE', path: `/payments/${encodeURIComponent(id)}`, refusal: 'too late' },
      nothing,
    )
  }

  async refund(id: string, amount: number, key: string): Promise<void> {
    const payment = await this.#client.find(
      { method: 'GET', path: `/payments/${encodeURIComponent(id)}` },
      molliePayment,
    )
    if (payment === undefined) throw new PaymentRefused('refund', `mollie: ${id} does not exist`)
    await this.#client.call(
      {
        method: 'POST',
        path: `/payments/${encodeURIComponent(id)}/refunds`,
        idempotencyKey: key,
        refusal: 'refund',
        body: { amount: toMollie(amount, payment.amount.currency) },
      },
      nothing,
    )
  }

  async readMandate(id: string, customerId: string | null): Promise<ProviderMandate | undefined> {
    if (customerId === null) return undefined
    const mandate = await this.#client.find(
      { method: 'GET', path: mandatePath(id, customerId) },
      mollieMandate,
    )
    return mandate === undefined ? undefined : mandateOfMollie(mandate)
  }

  async revokeMandate(id: string, customerId: string | null): Promise<void> {
    if (customerId === null) return
    await this.#client.find({ method: 'DELETE', path: mandatePath(id, customerId) }, nothing)
  }

  /** Webhooks contain only an ID: forged ones merely trigger a check. */
  async readWebhook(message: WebhookMessage): Promise<readonly string[]> {
    const id = new URLSearchParams(message.body.toString('utf8')).get('id')
    return id !== null && paymentIds.test(id) ? [id] : []
  }

  async #methodsIn(kind: MethodKind, currency: string): Promise<OfferedMethod[]> {
    const { value } = toMollie(usualAmount, currency)
    const query = new URLSearchParams({
      'amount[value]': value,
      'amount[currency]': currency,
      // mandates are set up by a first payment, whichever method charges them later
      sequenceType: kind === 'oneoff' ? 'oneoff' : 'first',
    })
    const list = await this.#client.call({ method: 'GET', path: `/methods?${query.toString()}` }, methodList)
    return list._embedded.methods.flatMap((method) => {
      const id = methodIdOf(method.id)
      const least = method.minimumAmount
      const minimum = least?.currency === currency ? fromMollie(least) : 1
      if (id === undefined || !providerMethods.mollie[kind].includes(id)) return []
      return [{ id, name: method.description, minimum, currency }]
    })
  }

  async #startAtPage(order: PaymentOrder, sequenceType: 'oneoff' | 'first'): Promise<StartedPayment> {
    if (methodIdOf(order.method) === undefined) {
      throw new PaymentRefused('method', `mollie has no ${order.method}`)
    }
    const create = (customerId: string, idempotencyKey: string): Promise<MolliePayment> =>
      this.#client.call(
        {
          method: 'POST',
          path: '/payments',
          idempotencyKey,
          body: {
            ...this.#basis(order),
            sequenceType,
            customerId,
            method: order.method,
            redirectUrl: order.returnUrl,
            locale: locales[order.language] ?? 'en_US',
          },
        },
        molliePayment,
      )
    const { payment, customerId } = await this.#withCustomer(order, create)
    const redirectUrl = payment._links.checkout?.href
    return { id: payment.id, customerId, ...(redirectUrl !== undefined && { redirectUrl }) }
  }

  async #withCustomer(
    order: PaymentOrder,
    create: (customerId: string, idempotencyKey: string) => Promise<MolliePayment>,
  ): Promise<{ payment: MolliePayment; customerId: string }> {
    const known = order.customer.id
    if (known !== null) {
      try {
        return { payment: await create(known, order.paymentId), customerId: known }
      } catch (error) {
        if (!(error instanceof NotAtMollie)) throw error
      }
    }
    const customerId = await this.#createCustomer(order.customer)
    const idempotencyKey = known === null ? order.paymentId : `${order.paymentId}:again`
    return { payment: await create(customerId, idempotencyKey), customerId }
  }

  async #createCustomer(customer: Customer): Promise<string> {
    const { name, email, walletId } = customer
    const facts = createHash('sha256')
      .update(JSON.stringify([name, email, customer.id]))
      .digest('hex')
    const created = await this.#client.call(
      {
        method: 'POST',
        path: '/customers',
        idempotencyKey: `customer:${walletId}:${facts.slice(0, 16)}`,
        body: { name, email, metadata: { walletId } },
      },
      z.object({ id: z.string() }),
    )
    return created.id
  }

  #basis(order: PaymentOrder) {
    return {
      amount: toMollie(order.amount, order.currency),
      description: order.description,
      metadata: { paymentId: order.paymentId },
      ...(this.#webhookUrl !== undefined && { webhookUrl: this.#webhookUrl }),
    }
  }
}

function mandatePath(id: string, customerId: string): string {
  return `/customers/${encodeURIComponent(customerId)}/mandates/${encodeURIComponent(id)}`
}

/** Cursor of a list's next page. Only that is taken from its URL, so that the key is never sent elsewhere. */
function pageAfter(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  return new URL(address).searchParams.get('from') ?? undefined
}
