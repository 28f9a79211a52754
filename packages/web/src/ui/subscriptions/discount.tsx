import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'

/** How amounts of an account are shown. */
export interface Pricing {
  currency: string
  /** Percent. */
  discount: number
  discountName?: string
}

/** The money side of a wallet, as prices in forms need it. */
export function pricingOf(
  wallet: { currency: string; discount: number | null; discount_description: string | null } | undefined,
): Pricing {
  return {
    currency: wallet?.currency ?? 'CHF',
    discount: wallet?.discount ?? 0,
    discountName: wallet?.discount_description ?? undefined,
  }
}

/** What the mark at each price stands for. */
export function DiscountNote({ pricing: { discount, discountName } }: { pricing: Pricing }) {
  const t = useT()
  if (discount <= 0) return null
  return (
    <p className="small text-3 discount-note">
      ¹{' '}
      {t('subscriptions.discount', {
        percent: number(discount),
        named: discountName ? 'yes' : 'no',
        name: discountName ?? '',
      })}
    </p>
  )
}
