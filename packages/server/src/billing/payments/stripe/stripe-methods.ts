import type { MethodKind, PaymentMethodId } from '@gatehouse/contract/billing/payments'
import type Stripe from 'stripe'
import type { OfferedMethod } from '../providers/provider.ts'
import { PaymentRefused } from '../providers/provider-errors.ts'
import { providerMethods } from '../providers/provider-methods.ts'

/** Supported payment methods, by Stripe's names. */
type StripeMethod = 'card' | 'paypal' | 'customer_balance' | 'sepa_debit'

interface Offer {
  readonly id: PaymentMethodId
  readonly type: StripeMethod
  readonly name: string
  /** Undefined for the wallet's currency. */
  readonly currencies?: readonly string[]
}

const paypalCurrencies = ['EUR', 'CHF', 'GBP', 'USD', 'CZK', 'DKK', 'NOK', 'PLN', 'SEK', 'AUD', 'CAD', 'NZD']

const offers: readonly Offer[] = [
  { id: 'creditcard', type: 'card', name: 'Card' },
  { id: 'paypal', type: 'paypal', name: 'PayPal', currencies: paypalCurrencies },
  {
    id: 'banktransfer',
    type: 'customer_balance',
    name: 'Bank transfer',
    currencies: ['EUR'],
  },
  {
    id: 'directdebit',
    type: 'sepa_debit',
    name: 'SEPA Direct Debit',
    currencies: ['EUR'],
  },
]

/**
 * Stripe's minimum charges in minor units (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
const minimums: Readonly<Record<string, number>> = {
  CHF: 50,
  EUR: 50,
  USD: 50,
  GBP: 30,
  CZK: 1500,
  DKK: 250,
  HUF: 17_500,
  JPY: 50,
  NOK: 300,
  PLN: 200,
  RON: 200,
  SEK: 300,
}

/**
 * Methods on offer according to the account's settings. A method in another currency than the wallet's is
 * offered in its own, and the amount is converted.
 */
export function offeredMethods(
  kind: MethodKind,
  currency: string,
  settings: Stripe.PaymentMethodConfiguration | undefined,
): readonly OfferedMethod[] {
  return offers
    .filter(
      ({ id, type }) => providerMethods.stripe[kind].includes(id) && settings?.[type]?.available === true,
    )
    .map((offer) => {
      const own = offer.currencies ?? [currency]
      const paidIn = own.includes(currency) ? currency : (own[0] ?? currency)
      return { id: offer.id, name: offer.name, minimum: minimums[paidIn] ?? 100, currency: paidIn }
    })
}

/** Stripe's name of a method. Throws PaymentRefused if Stripe doesn't have it. */
export function stripeMethod(id: PaymentMethodId): StripeMethod {
  const offer = offers.find((one) => one.id === id)
  if (offer === undefined) throw new PaymentRefused('method', `stripe has no ${id}`)
  return offer.type
}

/** Our ID for a Stripe method; cards in digital wallets are cards. */
export function methodIdOf(type: string): PaymentMethodId {
  return offers.find((offer) => offer.type === type)?.id ?? 'creditcard'
}

/**
 * Zero-decimal currencies that Stripe represents in hundredths (docs.stripe.com/currencies#special-cases).
 */
const countedInHundredths = ['ISK', 'UGX']

/** Converts minor units to Stripe's amount. */
export function toStripe(amount: number, currency: string): number {
  return countedInHundredths.includes(currency) ? amount * 100 : amount
}

/** Converts Stripe's amount to minor units. */
export function fromStripe(amount: number, currency: string): number {
  return countedInHundredths.includes(currency.toUpperCase()) ? Math.round(amount / 100) : amount
}

const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** Description by which a customer recognises a method; null if there is none. */
export function methodText(method: {
  readonly type: string
  readonly card?: { readonly brand?: string | null; readonly last4?: string | null } | null
  readonly sepa_debit?: { readonly last4?: string | null } | null
}): string | null {
  if (method.type === 'paypal') return 'PayPal'
  if (typeof method.sepa_debit?.last4 === 'string') return `SEPA •••• ${method.sepa_debit.last4}`
  if (method.card?.last4 === undefined || method.card.last4 === null) return null
  const brand = method.card.brand ?? 'card'
  return `${brands[brand] ?? 'Card'} •••• ${method.card.last4}`
}
