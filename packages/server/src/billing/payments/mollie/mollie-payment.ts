import { type PaymentMethodId, paymentStatuses } from '@gatehouse/contract/billing/payments'
import { z } from 'zod'
import { decimalsOf } from '../currency-units.ts'
import type { ProviderMandate, ProviderPayment, Reversal } from '../providers/provider.ts'
import { providerMethods } from '../providers/provider-methods.ts'

/** Mollie's amount format: a decimal string with as many decimals as the currency has. */
export const mollieAmount = z.object({
  value: z.string().regex(/^-?\d{1,13}(\.\d{1,4})?$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
})

export type MollieAmount = z.infer<typeof mollieAmount>

/** Converts minor units to Mollie's format. */
export function toMollie(amount: number, currency: string): MollieAmount {
  const decimals = decimalsOf(currency)
  return { value: (amount / 10 ** decimals).toFixed(decimals), currency }
}

/** Converts Mollie's format to minor units. */
export function fromMollie({ value, currency }: MollieAmount): number {
  const decimals = decimalsOf(currency)
  const [whole = '0', part = ''] = value.replace('-', '').split('.')
  const units = Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, '0').slice(0, decimals) || '0')
  return value.startsWith('-') ? -units : units
}

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const refund = z.object({ id: z.string(), status: z.string(), amount: mollieAmount, createdAt: moment })

const chargeback = z.object({
  id: z.string(),
  amount: mollieAmount,
  createdAt: moment,
  /** When it was reversed. */
  reversedAt: moment.nullish(),
})

const details = z.object({
  cardNumber: z.string().nullish(),
  cardLabel: z.string().nullish(),
  consumerAccount: z.string().nullish(),
})

const link = z.object({ href: z.string() }).nullish()

/** A payment (docs.mollie.com/reference/get-payment), with the fields that we use. */
export const molliePayment = z.object({
  id: z.string(),
  status: z.enum(paymentStatuses),
  amount: mollieAmount,
  method: z.string().nullish(),
  details: details.nullish().catch(null),
  metadata: z.object({ paymentId: z.string() }).nullish().catch(null),
  customerId: z.string().nullish(),
  mandateId: z.string().nullish(),
  sequenceType: z.enum(['oneoff', 'first', 'recurring']).nullish(),
  isCancelable: z.boolean().nullish(),
  createdAt: moment,
  paidAt: moment.nullish(),
  _links: z.object({ checkout: link }),
  _embedded: z
    .object({ refunds: z.array(refund).optional(), chargebacks: z.array(chargeback).optional() })
    .optional(),
})

export type MolliePayment = z.infer<typeof molliePayment>

/** A mandate (docs.mollie.com/reference/get-mandate), with the fields that we use. */
export const mollieMandate = z.object({
  id: z.string(),
  status: z.enum(['valid', 'pending', 'invalid']),
  method: z.string(),
  details: details.nullish().catch(null),
})

/** Maps Mollie's payment to the common format of all providers. */
export function paymentOfMollie(payment: MolliePayment): ProviderPayment {
  const isPaid = payment.status === 'paid'
  return {
    id: payment.id,
    paymentId: payment.metadata?.paymentId ?? null,
    status: payment.status,
    amount: fromMollie(payment.amount),
    currency: payment.amount.currency,
    paidAt: isPaid ? (payment.paidAt ?? payment.createdAt) : null,
    method: methodText(payment.method, payment.details),
    isCancelable: payment.isCancelable ?? false,
    checkoutUrl: payment._links.checkout?.href ?? null,
    reversals: reversalsOf(payment),
    mandateId: isPaid && payment.sequenceType === 'first' ? (payment.mandateId ?? null) : null,
  }
}

/** Maps Mollie's mandate to the common format of all providers. */
export function mandateOfMollie(mandate: z.infer<typeof mollieMandate>): ProviderMandate {
  return {
    id: mandate.id,
    status: mandate.status,
    method: methodText(mandate.method, mandate.details) ?? mandate.method,
    methodId: methodIdOf(mandate.method) ?? 'creditcard',
  }
}

/** Our ID for a Mollie method; the same as Mollie's for all that we support. */
export function methodIdOf(method: string): PaymentMethodId | undefined {
  const { oneoff, recurring } = providerMethods.mollie
  return [...oneoff, ...recurring].find((known) => known === method)
}

/** Refunds and chargebacks, except for failed or cancelled refunds and reversed chargebacks. */
function reversalsOf(payment: MolliePayment): readonly Reversal[] {
  const { refunds = [], chargebacks = [] } = payment._embedded ?? {}
  return [
    ...refunds
      .filter((one) => one.status !== 'failed' && one.status !== 'canceled')
      .map((one) => ({
        id: one.id,
        type: 'refund' as const,
        amount: Math.abs(fromMollie(one.amount)),
        at: one.createdAt,
      })),
    ...chargebacks
      .filter((one) => one.reversedAt === undefined || one.reversedAt === null)
      .map((one) => ({
        id: one.id,
        type: 'chargeback' as const,
        amount: Math.abs(fromMollie(one.amount)),
        at: one.createdAt,
      })),
  ]
}

function methodText(
  method: string | null | undefined,
  facts: z.infer<typeof details> | null | undefined,
): string | null {
  if (method === 'paypal') return 'PayPal'
  if (typeof facts?.cardNumber === 'string')
    return `${facts.cardLabel ?? 'Card'} •••• ${facts.cardNumber.slice(-4)}`
  if (method === 'directdebit' && typeof facts?.consumerAccount === 'string') {
    return `SEPA •••• ${facts.consumerAccount.slice(-4)}`
  }
  return null
}
