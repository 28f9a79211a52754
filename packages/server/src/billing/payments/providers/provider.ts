import type { MethodKind, PaymentMethodId, PaymentStatus } from '@gatehouse/contract/billing/payments'

/** A payer as known to a provider. */
export interface Customer {
  readonly walletId: string
  /** The provider's ID; null if not known there yet. */
  readonly id: string | null
  readonly name: string
  readonly email: string
}

/** A payment method enabled at the provider. */
export interface OfferedMethod {
  readonly id: PaymentMethodId
  readonly name: string
  /** Minor units of `currency`. */
  readonly minimum: number
  readonly currency: string
}

/** A request to a provider. Each order has a row before it is sent. */
export interface PaymentOrder {
  /** ID of our row; the provider stores it with the payment, and repeating the order creates no second one. */
  readonly paymentId: string
  readonly customer: Customer
  /** Minor units of `currency`; 0 only for setting up a mandate without a first payment. */
  readonly amount: number
  readonly currency: string
  readonly method: PaymentMethodId
  readonly description: string
  /** URL that the browser returns to. */
  readonly returnUrl: string
  /** Language of the provider's page. */
  readonly language: string
}

/** A payment known to the provider. */
export interface StartedPayment {
  /** The provider's ID, for `readPayment`. */
  readonly id: string
  /** The provider's customer ID, if it has one. */
  readonly customerId: string | null
  readonly redirectUrl?: string
  readonly newWindowUrl?: string
}

/** A refund or chargeback. */
export interface Reversal {
  /** The provider's ID. */
  readonly id: string
  readonly type: 'refund' | 'chargeback'
  /** Minor units of the payment's currency, positive. Undone reversals aren't listed. */
  readonly amount: number
  readonly at: Date
}

/** Current state of a payment at the provider. Bookings rely on this only, never on webhooks. */
export interface ProviderPayment {
  readonly id: string
  /** As `PaymentOrder.paymentId`; null if the provider didn't store it. */
  readonly paymentId: string | null
  readonly status: PaymentStatus
  /** Minor units of `currency` that were received, or would be. */
  readonly amount: number
  readonly currency: string
  readonly paidAt: Date | null
  /** For example a brand and the last digits; null if unknown. */
  readonly method: string | null
  readonly isCancelable: boolean
  readonly checkoutUrl: string | null
  readonly reversals: readonly Reversal[]
  /** The mandate that was set up by the payment. */
  readonly mandateId: string | null
}

/** Current state of a mandate at the provider. */
export interface ProviderMandate {
  readonly id: string
  readonly status: 'valid' | 'pending' | 'invalid'
  /** For example a brand and the last digits. */
  readonly method: string
  readonly methodId: PaymentMethodId
}

/** A provider's webhook as received. */
export interface WebhookMessage {
  /** The exact bytes, which signatures cover. */
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * A payment provider. Calls may be slow and may fail: they throw ProviderUnavailable for what may succeed on a
 * retry, and PaymentRefused with a message for the customer for what won't.
 */
export interface PaymentProvider {
  /** Also used in rows and in the webhook URL. */
  readonly name: 'stripe' | 'mollie' | 'sandbox'
  methods(kind: MethodKind, currency: string): Promise<readonly OfferedMethod[]>
  /** Starts a payment that the customer completes on the provider's page. */
  startPayment(order: PaymentOrder): Promise<StartedPayment>
  /** Starts the set-up of a mandate on the provider's page, with a first payment unless the amount is 0. */
  startMandate(order: PaymentOrder): Promise<StartedPayment>
  /** Charges a mandate without the customer's involvement. `readPayment` returns the result. */
  chargeMandate(order: PaymentOrder, mandateId: string): Promise<StartedPayment>
  /** Undefined if the provider has no such payment. */
  readPayment(id: string): Promise<ProviderPayment | undefined>
  /** Finds the payment of an order whose response was lost. */
  findPayment(paymentId: string, customerId: string | null): Promise<ProviderPayment | undefined>
  /** Throws PaymentRefused if it is too late. */
  cancelPayment(id: string): Promise<void>
  /** Makes a refund; idempotent per key. Minor units of the payment's currency. */
  refund(id: string, amount: number, key: string): Promise<void>
  /** Undefined if it no longer exists. */
  readMandate(id: string, customerId: string | null): Promise<ProviderMandate | undefined>
  revokeMandate(id: string, customerId: string | null): Promise<void>
  /**
   * The provider's IDs of the payments that a webhook refers to. Throws WebhookRefused for an invalid signature.
   */
  readWebhook(message: WebhookMessage): Promise<readonly string[]>
}
