import type { MethodKind, PaymentMethodId, PaymentStatus } from '@gatehouse/contract/billing/payments'

/** Who pays, as a provider knows him. */
export interface Customer {
  readonly walletId: string
  /** The provider's own id; null: he is not known there yet. */
  readonly id: string | null
  readonly name: string
  readonly email: string
}

/** A way to pay that the provider has switched on. */
export interface OfferedMethod {
  readonly id: PaymentMethodId
  readonly name: string
  /** Minor units of `currency`. */
  readonly minimum: number
  readonly currency: string
}

/** What is asked of a provider. Every order has a row of its own before it is asked. */
export interface PaymentOrder {
  /** Of our row; the provider keeps it beside the payment, and the same order asked twice is one payment. */
  readonly paymentId: string
  readonly customer: Customer
  /** Minor units of `currency`; 0 only where a mandate is set up without a first payment. */
  readonly amount: number
  readonly currency: string
  readonly method: PaymentMethodId
  readonly description: string
  /** Where the browser comes back to. */
  readonly returnUrl: string
  /** Language of the provider's page. */
  readonly language: string
}

/** A payment that the provider knows now. */
export interface StartedPayment {
  /** The provider's own id of it, by which `readPayment` finds it. */
  readonly id: string
  /** The provider's own id of the customer, where it has such. */
  readonly customerId: string | null
  readonly redirectUrl?: string
  readonly newWindowUrl?: string
}

/** Money that went back. */
export interface Reversal {
  /** The provider's own id. */
  readonly id: string
  readonly type: 'refund' | 'chargeback'
  /** Minor units of the payment's currency, positive. A reversal that was taken back is not listed. */
  readonly amount: number
  readonly at: Date
}

/** What the provider says of a payment now. It is the only thing that bookings follow; no message is trusted for it. */
export interface ProviderPayment {
  readonly id: string
  /** As `PaymentOrder.paymentId`; null: the provider did not keep it. */
  readonly paymentId: string | null
  readonly status: PaymentStatus
  /** Minor units of `currency` that were received, or would be. */
  readonly amount: number
  readonly currency: string
  readonly paidAt: Date | null
  /** Such as a brand and the last digits; null: not known. */
  readonly method: string | null
  readonly isCancelable: boolean
  readonly checkoutUrl: string | null
  readonly reversals: readonly Reversal[]
  /** The mandate that the payment set up, once it did. */
  readonly mandateId: string | null
}

/** What the provider says of a mandate now. */
export interface ProviderMandate {
  readonly id: string
  readonly status: 'valid' | 'pending' | 'invalid'
  /** Such as a brand and the last digits. */
  readonly method: string
  readonly methodId: PaymentMethodId
}

/** A message of a provider as it arrived. */
export interface WebhookMessage {
  /** Byte for byte, since signatures are over these. */
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * One provider of payments. Calls may take long and may fail; each throws ProviderUnavailable for what may succeed when
 * tried again, PaymentRefused with words for the customer for what will not.
 */
export interface PaymentProvider {
  /** The same word as in rows and in the address of its messages. */
  readonly name: 'stripe' | 'mollie' | 'sandbox'
  methods(kind: MethodKind, currency: string): Promise<readonly OfferedMethod[]>
  /** Begins a payment that the customer completes on the provider's page. */
  startPayment(order: PaymentOrder): Promise<StartedPayment>
  /** Begins the set-up of a mandate on the provider's page, with a first payment where the amount is not 0. */
  startMandate(order: PaymentOrder): Promise<StartedPayment>
  /** Charges a mandate without the customer. What came of it is read with `readPayment`. */
  chargeMandate(order: PaymentOrder, mandateId: string): Promise<StartedPayment>
  /** Undefined: the provider knows no such payment. */
  readPayment(id: string): Promise<ProviderPayment | undefined>
  /** Finds the payment of an order whose answer was lost. */
  findPayment(paymentId: string, customerId: string | null): Promise<ProviderPayment | undefined>
  /** Throws PaymentRefused when it is too late. */
  cancelPayment(id: string): Promise<void>
  /** Gives money back; the same key asked twice is one refund. Minor units of the payment's currency. */
  refund(id: string, amount: number, key: string): Promise<void>
  /** Undefined: it is gone. */
  readMandate(id: string, customerId: string | null): Promise<ProviderMandate | undefined>
  revokeMandate(id: string, customerId: string | null): Promise<void>
  /** The provider's own ids of the payments that the message is about. Throws WebhookRefused for a false signature. */
  readWebhook(message: WebhookMessage): Promise<readonly string[]>
}
