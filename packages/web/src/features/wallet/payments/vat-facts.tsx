import { taxedCharge, type VatTerms } from '@gatehouse/contract/vat'
import { number, price } from '../../../i18n/format.ts'
import type { Translate } from '../../../i18n/i18n.ts'
import type { Fact } from '../../../ui/facts.tsx'

/** What VAT means for an amount (cents): that of the wallet, the VAT beside it, and what `paid` calls the sum of both. */
export function vatFacts(
  t: Translate,
  charge: { cents: number; currency: string; vat: VatTerms | undefined; paid: string },
): Fact[] {
  const { cents, currency, vat, paid } = charge
  if (vat === undefined) return []
  const sum = taxedCharge(cents, vat)
  const rate = number(vat.rate / 10_000, { style: 'percent', maximumFractionDigits: 2 })
  if (vat.mode === 'included') {
    return [{ label: t('payment.vatIncluded', { rate }), value: price(sum.vat, currency) }]
  }
  return [
    { label: t('payment.toWallet'), value: price(sum.net, currency) },
    { label: t('payment.vatAdded', { rate }), value: price(sum.vat, currency) },
    { label: paid, value: <b>{price(sum.gross, currency)}</b> },
  ]
}
