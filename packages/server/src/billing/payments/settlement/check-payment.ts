import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import { message, ValidationError } from '../../../platform/http/errors.ts'
import { leastPayment } from '../../auto-payment/least-amount.ts'
import { readAmount } from '../amount.ts'
import type { MethodOnOffer } from '../methods.ts'
import { leastPayable } from '../payment-charge.ts'

export interface PaymentInput {
  readonly amount: number | string
  readonly currency?: string | null | undefined
  readonly methodId?: string | null | undefined
}

/** Limits that a payment is checked against. */
export interface PaymentLimits {
  readonly methods: readonly MethodOnOffer[]
  /** Currency of the wallet. */
  readonly currency: string
  /** Cents of the wallet's currency. */
  readonly maximum: number
  readonly language: Language
}

/**
 * Validates a requested payment and returns its method and cents of the wallet's currency. Throws
 * ValidationError with all errors; reference api-billing-admin §4, §24.
 */
export function checkPayment(
  input: PaymentInput,
  { methods, currency, maximum, language }: PaymentLimits,
): { readonly method: MethodOnOffer; readonly amount: number } {
  const method = methods.find(({ id }) => id === (input.methodId ?? 'creditcard'))
  const amount = readAmount(input.amount)
  const price = (cents: number) => formatPrice(cents, currency, language)
  const errors = new Map<string, ReturnType<typeof message>>()
  if (method === undefined) errors.set('methodId', message('payment.method-refused'))
  else if (input.currency != null && input.currency.toUpperCase() !== method.currency) {
    errors.set('currency', message('payment.currency', { currency: method.currency }))
  }
  const least = method === undefined ? leastPayment : leastPayable(method, currency)
  if (amount === undefined) errors.set('amount', message('payment.amount'))
  else if (amount < least) errors.set('amount', message('payment.minimum', { amount: price(least) }))
  else if (amount > maximum) errors.set('amount', message('payment.maximum', { amount: price(maximum) }))
  if (errors.size > 0 || method === undefined || amount === undefined) {
    throw new ValidationError(Object.fromEntries(errors))
  }
  return { method, amount }
}
