import type { VatTerms } from '@gatehouse/contract/billing/payments'
import { leastPayment } from '../auto-payment/least-amount.ts'
import { convert, inverse } from '../exchange/exchange-rate.ts'
import { taxedCharge } from '../vat/taxed-amount.ts'
import { decimalsOf } from './currency-units.ts'
import type { MethodOnOffer } from './methods.ts'

/** A payment currency other than the wallet's. */
export interface Exchange {
  readonly currency: string
  /** Converts minor units of the wallet's currency: exactly, then rounded half up. */
  readonly convert: (amount: number) => number
}

/** What a payment charges; cents of the wallet's currency unless stated otherwise. */
export interface PaymentCharge {
  /** Amount credited to the wallet. */
  readonly credit: number
  readonly net: number
  readonly vat: number
  readonly gross: number
  /** Amount requested from the provider, in minor units of `currency`. */
  readonly amount: number
  readonly currency: string
}

export interface ChargeTerms {
  /** Currency of the wallet. */
  readonly currency: string
  /** Undefined if no VAT applies. */
  readonly vat: VatTerms | undefined
  /** Defaults to the wallet's currency. */
  readonly exchange?: Exchange | undefined
}

/** Computes what a payment charges. Shared by the preview and the payment itself. */
export function chargeOf(wanted: number, { currency, vat, exchange }: ChargeTerms): PaymentCharge {
  const taxed = taxedCharge(wanted, vat)
  return {
    ...taxed,
    credit: wanted,
    amount: exchange?.convert(taxed.gross) ?? taxed.gross,
    currency: exchange?.currency ?? currency,
  }
}

/** How a method converts the wallet's currency. */
export function exchangeOf(method: MethodOnOffer, currency: string): Exchange {
  const decimals = { from: decimalsOf(currency), to: decimalsOf(method.currency) }
  return { currency: method.currency, convert: (cents) => convert(cents, method.rate, decimals) }
}

/**
 * The minimum payment by a method in cents of the wallet's currency; the method's own minimum may be in
 * another currency; reference api-billing-admin §4.
 */
export function leastPayable(method: MethodOnOffer, currency: string): number {
  const decimals = { from: decimalsOf(currency), to: decimalsOf(method.currency) }
  const there = exchangeOf(method, currency).convert
  let least = convert(method.minimum, inverse(method.rate), { from: decimals.to, to: decimals.from })
  while (there(least) < method.minimum) least++
  while (least > 0 && there(least - 1) >= method.minimum) least--
  return Math.max(leastPayment, least)
}
