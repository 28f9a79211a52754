import type { MethodKind, PaymentMethodId } from '@gatehouse/contract/billing/payments'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { type Secrets, sha256 } from '../../../platform/secrets.ts'
import type {
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
import { isPending } from '../settlement/look-schedule.ts'
import { readMessage, sandboxMessageJob } from './sandbox-message.ts'
import {
  deleteReversal,
  findMandate,
  findPayment,
  holdPayment,
  insertMandate,
  insertOnce,
  insertReversal,
  readReversals,
  revokeMandate,
  type SandboxPayment,
  updatePayment,
} from './sandbox-store.ts'

export interface SandboxParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly secrets: Secrets
  /** The full URL of a portal path. */
  readonly link: (path: string) => string
}

/** Outcomes of a payment; `pending`: the bank is slow. */
export const outcomes = ['paid', 'failed', 'canceled', 'pending', 'expired'] as const

export type Outcome = (typeof outcomes)[number]

/** Test cards, and the outcome of charging them later by mandate. */
export const testCards = {
  good: { text: 'Visa •••• 4242', outcome: 'paid' },
  broke: { text: 'Mastercard •••• 0341', outcome: 'failed' },
  slow: { text: 'Visa •••• 0077', outcome: 'pending' },
} as const

export type TestCard = keyof typeof testCards

/**
 * Faults that tests inject between portal and sandbox. Each may throw the error that the portal should see.
 */
export interface Trouble {
  /** Called before the request is executed. */
  readonly before?: (call: string) => void
  /** Called after the request was executed, in place of the response. */
  readonly after?: (call: string) => void
}

/** Minimum payment in minor units. */
const minimum = 100

const names: Readonly<Record<PaymentMethodId, string>> = {
  creditcard: 'Credit card',
  paypal: 'PayPal',
  banktransfer: 'Bank transfer',
  directdebit: 'Direct debit',
  bitcoin: 'Bitcoin',
}

/**
 * A provider that moves no money: the payer chooses the outcome on a page. It behaves like a real provider,
 * with its own storage and signed webhooks, so that everything can be tried without an external account.
 */
export class Sandbox implements PaymentProvider {
  readonly name = 'sandbox'
  /** For tests only. */
  trouble: Trouble = {}
  /** For tests only: intercepts a webhook's delivery. */
  mailman: (id: string, deliver: () => Promise<void>) => Promise<void> = (_id, deliver) => deliver()
  readonly #parts: SandboxParts
  readonly #key: Buffer

  constructor(parts: SandboxParts) {
    this.#parts = parts
    this.#key = parts.secrets.derive('sandbox:messages')
  }

  /** Signs the webhooks; the same in all processes of the installation. */
  get key(): Buffer {
    return this.#key
  }

  async methods(kind: MethodKind, currency: string): Promise<readonly OfferedMethod[]> {
    return this.#call('methods', async () => {
      // bank transfers are in euros
      const ids = providerMethods.sandbox[kind].filter((id) => id !== 'banktransfer' || currency === 'EUR')
      return ids.map((id) => ({ id, name: names[id], minimum, currency }))
    })
  }

  async startPayment(order: PaymentOrder): Promise<StartedPayment> {
    return this.#call('startPayment', () => this.#start('payment', order))
  }

  async startMandate(order: PaymentOrder): Promise<StartedPayment> {
    return this.#call('startMandate', () => this.#start('mandate', order))
  }

  async chargeMandate(order: PaymentOrder, mandateId: string): Promise<StartedPayment> {
    return this.#call('chargeMandate', async () => {
      const mandate = await findMandate(this.#parts.db, mandateId)
      if (mandate === undefined || mandate.revokedAt !== null) {
        throw new PaymentRefused('mandate', 'there is no such mandate')
      }
      const { outcome, methodText } = mandate
      return this.#start('charge', order, { mandateId, methodText, ...this.#state(outcome) })
    })
  }

  async readPayment(id: string): Promise<ProviderPayment | undefined> {
    return this.#call('readPayment', async () => this.#present(await findPayment(this.#parts.db, { id })))
  }

  async findPayment(paymentId: string): Promise<ProviderPayment | undefined> {
    return this.#call('findPayment', async () =>
      this.#present(await findPayment(this.#parts.db, { paymentId })),
    )
  }

  async cancelPayment(id: string): Promise<void> {
    await this.#call('cancelPayment', async () => {
      const isDone = await this.decide(id, 'canceled')
      if (!isDone) throw new PaymentRefused('too late', 'the payment is decided')
    })
  }

  async refund(id: string, amount: number, key: string): Promise<void> {
    await this.#call('refund', () => this.#reverse(id, { id: `re_${key}`, type: 'refund', amount }))
  }

  async readMandate(id: string): Promise<ProviderMandate | undefined> {
    return this.#call('readMandate', async () => {
      const mandate = await findMandate(this.#parts.db, id)
      if (mandate === undefined || mandate.revokedAt !== null) return undefined
      // mandates only have methods of the contract
      const methodId = mandate.method as PaymentMethodId
      return { id, status: 'valid', method: mandate.methodText, methodId }
    })
  }

  async revokeMandate(id: string): Promise<void> {
    await this.#call('revokeMandate', () => revokeMandate(this.#parts.db, id, this.#parts.clock.now()))
  }

  async readWebhook(message: WebhookMessage): Promise<readonly string[]> {
    return [readMessage(this.#key, this.#parts.clock, message)]
  }

  /** The payment whose page has this secret in its URL. */
  async paymentAt(token: string): Promise<SandboxPayment | undefined> {
    return findPayment(this.#parts.db, { tokenHash: sha256(token) })
  }

  /** Decides a payment; returns false if it is already decided. */
  async decide(id: string, outcome: Outcome, card: TestCard = 'good'): Promise<boolean> {
    return this.#parts.db.transaction().execute(async (trx) => {
      const payment = await holdPayment(trx, id)
      if (payment === undefined || !isPending(payment.status)) return false
      const methodText = payment.method === 'creditcard' ? testCards[card].text : names[methodOf(payment)]
      const mandateId =
        outcome === 'paid' && payment.kind === 'mandate' ? `mdt_${bare(newUuid())}` : payment.mandateId
      await updatePayment(trx, id, {
        ...this.#state(outcome),
        methodText,
        mandateId,
      })
      if (mandateId !== null && mandateId !== payment.mandateId) {
        const { outcome: later } = testCards[card]
        const createdAt = this.#parts.clock.now()
        const mandate = {
          id: mandateId,
          method: payment.method,
          methodText,
          outcome: later,
          createdAt,
        }
        await insertMandate(trx, mandate)
      }
      await this.#tell(trx, id)
      return true
    })
  }

  /** Sets a status that no customer can cause: a failed payment becomes paid, or vice versa. For tests only. */
  async force(id: string, status: Outcome): Promise<void> {
    await this.#parts.db.transaction().execute(async (trx) => {
      await updatePayment(trx, id, this.#state(status))
      await this.#tell(trx, id)
    })
  }

  /** Simulates a chargeback in minor units. Throws PaymentRefused if it exceeds the rest of the payment. */
  async chargeBack(id: string, amount: number, key: string = newUuid()): Promise<string> {
    const name = `chb_${key}`
    await this.#reverse(id, { id: name, type: 'chargeback', amount })
    return name
  }

  /** Undoes a reversal: the dispute was won, or the refund failed. */
  async undoReversal(id: string, reversalId: string): Promise<void> {
    await this.#parts.db.transaction().execute(async (trx) => {
      await holdPayment(trx, id)
      await deleteReversal(trx, reversalId)
      await this.#tell(trx, id)
    })
  }

  async #reverse(
    id: string,
    reversal: { id: string; type: 'refund' | 'chargeback'; amount: number },
  ): Promise<void> {
    await this.#parts.db.transaction().execute(async (trx) => {
      const payment = await holdPayment(trx, id)
      const before = await readReversals(trx, id)
      if (before.some((known) => known.id === reversal.id)) return
      const gone = before.reduce((sum, known) => sum + known.amount, 0)
      if (payment?.status !== 'paid' || reversal.amount + gone > payment.amount) {
        throw new PaymentRefused('refund', 'more than is left of the payment')
      }
      await insertReversal(trx, { ...reversal, paymentId: id, createdAt: this.#parts.clock.now() })
      await this.#tell(trx, id)
    })
  }

  async #start(
    kind: SandboxPayment['kind'],
    order: PaymentOrder,
    facts: Partial<SandboxPayment> = {},
  ): Promise<StartedPayment> {
    const { db, clock } = this.#parts
    const id = `sbx_${bare(newUuid())}`
    const { payment } = await db.transaction().execute(async (trx) => {
      const made = await insertOnce(trx, {
        id,
        paymentId: order.paymentId,
        tokenHash: sha256(this.#token(id)),
        kind,
        method: order.method,
        status: 'open',
        amount: order.amount,
        currency: order.currency,
        description: order.description,
        payer: order.customer.name,
        returnUrl: order.returnUrl,
        language: order.language,
        mandateId: null,
        methodText: null,
        createdAt: clock.now(),
        paidAt: null,
        ...facts,
      })
      if (made.isNew && made.payment.status !== 'open') await this.#tell(trx, id)
      return made
    })
    const url = this.#page(payment)
    return {
      id: payment.id,
      // trying the sandbox doesn't bind a wallet to it
      customerId: null,
      ...(url !== null && (payment.method === 'bitcoin' ? { newWindowUrl: url } : { redirectUrl: url })),
    }
  }

  async #present(payment: SandboxPayment | undefined): Promise<ProviderPayment | undefined> {
    if (payment === undefined) return undefined
    const reversals = await readReversals(this.#parts.db, payment.id)
    return {
      id: payment.id,
      paymentId: payment.paymentId,
      status: payment.status,
      amount: payment.amount,
      currency: payment.currency,
      paidAt: payment.paidAt,
      method: payment.methodText,
      isCancelable: isPending(payment.status),
      checkoutUrl: this.#page(payment),
      reversals: reversals.map(({ id, type, amount, createdAt: at }) => ({ id, type, amount, at })),
      mandateId: payment.kind === 'mandate' ? payment.mandateId : null,
    }
  }

  /** URL of the page where a payment is decided; null if it is already decided. */
  #page(payment: SandboxPayment): string | null {
    if (payment.kind === 'charge' || !isPending(payment.status)) return null
    return this.#parts.link(`/sandbox/pay/${this.#token(payment.id)}`)
  }

  #token(id: string): string {
    return sandboxToken(this.#parts.secrets, id)
  }

  #state(status: Outcome): { status: Outcome; paidAt: Date | null } {
    return { status, paidAt: status === 'paid' ? this.#parts.clock.now() : null }
  }

  #tell(trx: Db, id: string): Promise<void> {
    return this.#parts.jobs.enqueue(trx, sandboxMessageJob, { id })
  }

  async #call<T>(name: string, act: () => Promise<T>): Promise<T> {
    this.trouble.before?.(name)
    const result = await act()
    this.trouble.after?.(name)
    return result
  }
}

/** The secret in the URL of a payment's page. */
export function sandboxToken(secrets: Secrets, id: string): string {
  return secrets.longCode('sandbox:page', id)
}

function methodOf(payment: SandboxPayment): PaymentMethodId {
  return payment.method as PaymentMethodId // orders only have methods of the contract
}

function bare(uuid: string): string {
  return uuid.replaceAll('-', '')
}
