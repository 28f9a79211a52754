import type { VatTerms } from '@gatehouse/contract/billing/payments'

/** Rates are hundredths of a percent: 770 is 7.7 %. */
export interface TaxedAmount {
  /** Cents without VAT. */
  readonly net: number
  readonly vat: number
  readonly gross: number
}

/**
 * Splits an amount that contains VAT. The VAT is rounded half away from zero, so that a refund takes back
 * exactly the VAT that its payment had.
 */
export function splitGross(gross: number, rate: number): TaxedAmount {
  const vat = roundedQuotient(gross * rate, 10_000 + rate)
  return { net: gross - vat, vat, gross }
}

/** Puts VAT on an amount. */
export function addVat(net: number, rate: number): TaxedAmount {
  const vat = roundedQuotient(net * rate, 10_000)
  return { net, vat, gross: net + vat }
}

/** Net, VAT and gross of a payment; reference api-billing-admin §7. */
export function taxedCharge(amount: number, { rate, mode }: VatTerms = noVat): TaxedAmount {
  return mode === 'included' ? splitGross(amount, rate) : addVat(amount, rate)
}

const noVat: VatTerms = { rate: 0, mode: 'included' }

/** A quotient of whole numbers, half away from zero; the products of cents and rates stay exact. */
function roundedQuotient(dividend: number, divisor: number): number {
  const size = Math.abs(dividend)
  const quotient = Math.floor((2 * size + divisor) / (2 * divisor))
  return dividend < 0 && quotient !== 0 ? -quotient : quotient
}
