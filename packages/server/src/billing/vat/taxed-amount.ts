import type { VatTerms } from '@gatehouse/contract/billing/payments'

/** Rates are basis points: 770 is 7.7 %. */
export interface TaxedAmount {
  /** Cents excluding VAT. */
  readonly net: number
  readonly vat: number
  readonly gross: number
}

/**
 * Splits an amount that includes VAT. The VAT is rounded half away from zero, so that a refund has exactly the
 * VAT of its payment.
 */
export function splitGross(gross: number, rate: number): TaxedAmount {
  const vat = roundedQuotient(gross * rate, 10_000 + rate)
  return { net: gross - vat, vat, gross }
}

/** Adds VAT to an amount. */
export function addVat(net: number, rate: number): TaxedAmount {
  const vat = roundedQuotient(net * rate, 10_000)
  return { net, vat, gross: net + vat }
}

/** Net, VAT and gross of a payment; reference api-billing-admin §7. */
export function taxedCharge(amount: number, { rate, mode }: VatTerms = noVat): TaxedAmount {
  return mode === 'included' ? splitGross(amount, rate) : addVat(amount, rate)
}

const noVat: VatTerms = { rate: 0, mode: 'included' }

/** An integer quotient, rounded half away from zero; products of cents and rates stay exact. */
function roundedQuotient(dividend: number, divisor: number): number {
  const size = Math.abs(dividend)
  const quotient = Math.floor((2 * size + divisor) / (2 * divisor))
  return dividend < 0 && quotient !== 0 ? -quotient : quotient
}
