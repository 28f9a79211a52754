import type { PaymentStatus } from '@gatehouse/contract/billing/payments'
import type Stripe from 'stripe'
import type { ProviderPayment, Reversal } from '../providers/provider.ts'
import { fromStripe, methodText } from './stripe-methods.ts'

/** Expansions for a payment intent with all details. */
export const intentParts = ['latest_charge.refunds'] as const

/** Expansions for a checkout session with all details. */
export const sessionParts = [
  ...intentParts.map((part) => `payment_intent.${part}`),
  'setup_intent.latest_attempt',
  'setup_intent.payment_method',
] as const

/** Our metadata on all Stripe objects of a payment. */
export interface OurMetadata {
  readonly paymentId: string
}

/** Marks a session that we expired: Stripe doesn't distinguish that from a timeout. */
export const canceledMark = { canceled: 'yes' } as const

/** An expanded object; null if there is none. */
export function expanded<T extends { readonly id: string }>(value: string | T | null | undefined): T | null {
  return typeof value === 'object' ? (value ?? null) : null
}

/** The ID of an object, expanded or not. */
export function idOf(value: string | { readonly id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}

/** A payment, or the set-up of a mandate, on Stripe's page. */
export function paymentOfSession(
  session: Stripe.Checkout.Session,
  reversals: readonly Reversal[],
): ProviderPayment {
  const intent = expanded<Stripe.PaymentIntent>(session.payment_intent)
  const setup = expanded<Stripe.SetupIntent>(session.setup_intent)
  const status = sessionStatus(session, intent, setup)
  const currency = (intent?.currency ?? session.currency ?? 'chf').toUpperCase()
  const total = intent === null ? (session.amount_total ?? 0) : amountOf(intent)
  return {
    id: session.id,
    paymentId: session.metadata?.paymentId ?? session.client_reference_id,
    status,
    amount: fromStripe(total, currency),
    currency,
    paidAt: status === 'paid' ? paidAt(intent, setup) : null,
    method: methodOf(intent, setup),
    isCancelable: session.status === 'open' || (status === 'pending' && intent?.status === 'requires_action'),
    checkoutUrl: session.status === 'open' ? session.url : null,
    reversals,
    mandateId: status === 'paid' ? mandateOf(intent, setup) : null,
  }
}

/** A charge by mandate. */
export function paymentOfIntent(
  intent: Stripe.PaymentIntent,
  reversals: readonly Reversal[],
): ProviderPayment {
  const status = intentStatus(intent)
  const currency = intent.currency.toUpperCase()
  return {
    id: intent.id,
    paymentId: intent.metadata.paymentId ?? null,
    status,
    amount: fromStripe(amountOf(intent), currency),
    currency,
    paidAt: status === 'paid' ? paidAt(intent, null) : null,
    method: methodOf(intent, null),
    isCancelable: ['requires_payment_method', 'requires_action', 'requires_confirmation'].includes(
      intent.status,
    ),
    checkoutUrl: null,
    reversals,
    mandateId: null,
  }
}

function sessionStatus(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  setup: Stripe.SetupIntent | null,
): PaymentStatus {
  // money decides, whatever the page's status is
  if (intent?.status === 'succeeded') return 'paid'
  if (session.status === 'open') return 'open'
  if (session.status === 'expired') return session.metadata?.canceled === undefined ? 'expired' : 'canceled'
  if (session.mode === 'setup') return setupStatus(setup)
  if (session.payment_status === 'paid') return 'paid'
  return intent === null ? 'pending' : intentStatus(intent)
}

function setupStatus(setup: Stripe.SetupIntent | null): PaymentStatus {
  if (setup?.status === 'succeeded') return 'paid'
  if (setup?.status === 'canceled') return 'canceled'
  return setup?.status === 'requires_payment_method' ? 'failed' : 'pending'
}

function intentStatus(intent: Stripe.PaymentIntent): PaymentStatus {
  switch (intent.status) {
    case 'succeeded':
      return 'paid'
    case 'canceled':
      return 'canceled'
    case 'requires_capture':
      return 'authorized'
    case 'requires_payment_method':
      return intent.last_payment_error === null ? 'open' : 'failed'
    default:
      return 'pending'
  }
}

function amountOf(intent: Stripe.PaymentIntent): number {
  return intent.status === 'succeeded' ? intent.amount_received : intent.amount
}

function paidAt(intent: Stripe.PaymentIntent | null, setup: Stripe.SetupIntent | null): Date | null {
  const attempt = expanded<Stripe.SetupAttempt>(setup?.latest_attempt)
  const seconds =
    expanded<Stripe.Charge>(intent?.latest_charge)?.created ?? attempt?.created ?? setup?.created
  return seconds === undefined ? null : new Date(seconds * 1000)
}

function methodOf(intent: Stripe.PaymentIntent | null, setup: Stripe.SetupIntent | null): string | null {
  const details = expanded<Stripe.Charge>(intent?.latest_charge)?.payment_method_details
  const method = details ?? expanded<Stripe.PaymentMethod>(setup?.payment_method)
  return method === null ? null : methodText(method)
}

function mandateOf(intent: Stripe.PaymentIntent | null, setup: Stripe.SetupIntent | null): string | null {
  if (setup !== null) return idOf(setup.payment_method)
  return intent?.setup_future_usage === 'off_session' ? idOf(intent.payment_method) : null
}

/** Refunds and chargebacks of a charge, except for failed refunds and won disputes. */
export function reversalsOf(
  charge: Stripe.Charge,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): readonly Reversal[] {
  return [
    ...refunds
      .filter((refund) => refund.status !== 'failed' && refund.status !== 'canceled')
      .map((refund) => ({
        id: refund.id,
        type: 'refund' as const,
        amount: fromStripe(refund.amount, refund.currency),
        at: new Date(refund.created * 1000),
      })),
    ...disputes
      .map((dispute) => ({
        id: dispute.id,
        type: 'chargeback' as const,
        amount: withdrawn(dispute, charge.currency),
        at: new Date((dispute.balance_transactions[0]?.created ?? dispute.created) * 1000),
      }))
      .filter((reversal) => reversal.amount > 0),
  ]
}

/**
 * Minor units withdrawn by a dispute, permanently or temporarily. An inquiry withdraws nothing, and a won
 * dispute returns the money; both are derived from the account's balance transactions, which may be in another
 * currency.
 */
function withdrawn(dispute: Stripe.Dispute, currency: string): number {
  const taken = -dispute.balance_transactions.reduce((sum, booking) => sum + booking.amount, 0)
  if (taken <= 0) return 0
  const isSameCurrency = dispute.balance_transactions.every((booking) => booking.currency === currency)
  return fromStripe(isSameCurrency ? taken : dispute.amount, currency)
}
