import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import { type Message, message, ValidationError } from '../../platform/http/errors.ts'
import { readAmount } from '../payments/amount.ts'
import type { LeastAmount } from './least-amount.ts'
import type { Amounts } from './mandate-store.ts'

export interface AmountLimits {
  readonly least: LeastAmount
  /** Maximum of both in cents. */
  readonly most: number
  readonly currency: string
  readonly language: Language
}

/**
 * Parses amount and threshold of auto-payment into cents. A debt may be paid even above the maximum. Throws
 * ValidationError with all errors; reference api-billing-admin §5.
 */
export function readAmounts(
  input: { readonly amount: number | string; readonly balance: number | string },
  limits: AmountLimits,
): Amounts {
  const amount = readAmount(input.amount)
  const threshold = readAmount(input.balance)
  const errors = {
    amount: amountError(amount, limits),
    balance: thresholdError(threshold, limits),
  }
  if (amount === undefined || threshold === undefined || errors.amount || errors.balance) {
    throw new ValidationError({
      ...(errors.amount && { amount: errors.amount }),
      ...(errors.balance && { balance: errors.balance }),
    })
  }
  return { amount, threshold }
}

function amountError(amount: number | undefined, limits: AmountLimits): Message | undefined {
  if (amount === undefined) return message('mandate.no-amount')
  const { least } = limits
  if (amount < least.amount) {
    const params = { amount: price(least.amount, limits) }
    return message(least.isDebt ? 'mandate.min-amount-debt' : 'mandate.min-amount', params)
  }
  return tooMuch(amount, { ...limits, most: Math.max(limits.most, least.amount) })
}

function thresholdError(threshold: number | undefined, limits: AmountLimits): Message | undefined {
  return threshold === undefined ? message('mandate.no-amount') : tooMuch(threshold, limits)
}

function tooMuch(cents: number, limits: AmountLimits): Message | undefined {
  if (cents <= limits.most) return undefined
  return message('mandate.max-amount', { amount: price(limits.most, limits) })
}

function price(cents: number, { currency, language }: AmountLimits): string {
  return formatPrice(cents, currency, language)
}
