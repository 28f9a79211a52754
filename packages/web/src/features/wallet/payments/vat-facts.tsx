import type { PaymentPreview } from '@gatehouse/contract/billing/payments'
import { price, vatRate } from '../../../i18n/format.ts'
import type { Translate } from '../../../i18n/i18n.ts'
import type { Fact } from '../../../ui/facts/facts.tsx'

/** Placeholder for an amount while the input isn't payable. */
export const noAmount = '–'

/** Explains the VAT of a payment: net amount, VAT, and their sum under the label `paid`. */
export function vatFacts(t: Translate, { charge, currency, vat }: PaymentPreview, paid: string): Fact[] {
  if (vat === undefined) return []
  const rate = vatRate(vat.rate)
  const say = (cents: number | undefined) => (cents === undefined ? noAmount : price(cents, currency))
  if (vat.mode === 'included') {
    return [{ label: t('payment.vatIncluded', { rate }), value: say(charge?.vat) }]
  }
  return [
    { label: t('payment.toWallet'), value: say(charge?.credit) },
    { label: t('payment.vatAdded', { rate }), value: say(charge?.vat) },
    { label: paid, value: <b>{say(charge?.gross)}</b> },
  ]
}
