import type { VatTerms } from '@gatehouse/contract/billing/payments'
import { leastPayment } from '../auto-payment/least-amount.ts'
import { convert, inverse } from '../exchange/exchange-rate.ts'
import { taxedCharge } from '../vat/taxed-amount.ts'
import { decimalsOf } from './currency-units.ts'
import type { MethodOnOffer } from './methods.ts'

/** Another currency than the wallet's, in which a payment is made. */
export interface Exchange {
  readonly currency: string
  /** Minor units of the wallet's currency in that one, exact and then rounded half up. */
  readonly convert: (amount: number) => number
}

/** What a payment charges; cents of the wallet's currency unless stated otherwise. */
export interface PaymentCharge {
  /** What the wallet gets. */
  readonly credit: number
  readonly net: number
  readonly vat: number
  readonly gross: number
  /** What the provider is asked for, in minor units of `currency`. */
  readonly amount: number
  readonly currency: string
}

export interface ChargeTerms {
  /** Of the wallet. */
  readonly currency: string
  /** Undefined: none. */
  readonly vat: VatTerms | undefined
  /** Absent: the wallet's currency. */
  readonly exchange?: Exchange | undefined
}

/** What a payment of an amount charges. The preview and the payment itself both use it. */
export function chargeOf(wanted: number, { currency, vat, exchange }: ChargeTerms): PaymentCharge {
  const taxed = taxedCharge(wanted, vat)
  return {
    ...taxed,
    credit: wanted,
    amount: exchange?.convert(taxed.gross) ?? taxed.gross,
    currency: exchange?.currency ?? currency,
  }
}

/** How a method exchanges the wallet's currency. */
export function exchangeOf(method: MethodOnOffer, currency: string): Exchange {
  const decimals = { from: decimalsOf(currency), to: decimalsOf(method.currency) }
  return { currency: method.currency, convert: (cents) => convert(cents, method.rate, decimals) }
}

/**
 * The least cents of the wallet's currency that can be paid by a method, whose own minimum may be in another currency;
 * reference api-billing-admin §4.
 */
export function leastPayable(method: MethodOnOffer, currency: string): number {
  const decimals = { from: decimalsOf(currency), to: decimalsOf(method.currency) }
  const there = exchangeOf(method, currency).convert
  let least = convert(method.minimum, inverse(method.rate), { from: decimals.to, to: decimals.from })
  while (there(least) < method.minimum) least++
  while (least > 0 && there(least - 1) >= method.minimum) least--
  return Math.max(leastPayment, least)
}
