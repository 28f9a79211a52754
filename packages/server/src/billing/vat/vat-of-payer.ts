import type { VatTerms } from '@gatehouse/contract/billing/payments'
import type { Db } from '../../platform/db/database.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { type VatRate, vatRateOf } from './vat-store.ts'

/**
 * The payer's VAT rate; undefined without VAT, or if the country is unknown. Reference api-billing-admin §7.
 */
export async function vatOfPayer(db: Db, country: string | null, at: Date): Promise<VatRate | undefined> {
  return country === null ? undefined : vatRateOf(db, country, at)
}

/** VAT terms for a rate in this installation; undefined without a rate. */
export function vatTerms(
  vat: Pick<VatRate, 'rate'> | undefined,
  { VAT_MODE }: Pick<BillingConfig, 'VAT_MODE'>,
): VatTerms | undefined {
  if (vat === undefined || vat.rate === 0) return undefined
  return { rate: vat.rate, mode: VAT_MODE === '1' ? 'on-top' : 'included' }
}
