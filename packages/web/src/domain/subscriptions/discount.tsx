import type { BilledAmounts } from '@gatehouse/contract/billing/subscriptions'
import { number, priceLabel } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import type { PriceState } from './use-price-preview.ts'

/** How an account's amounts are shown. */
export interface Pricing {
  currency: string
  /** Percent. */
  discount: number
  discountName?: string
}

/** Returns the currency and discount of a wallet, as needed for prices in forms. */
export function pricingOf(
  wallet: { currency: string; discount: number | null; discount_description: string | null } | undefined,
): Pricing {
  return {
    currency: wallet?.currency ?? 'CHF',
    discount: wallet?.discount ?? 0,
    discountName: wallet?.discount_description ?? undefined,
  }
}

/** Whether anything is billed at all. */
export function isCharged({ month, year }: BilledAmounts): boolean {
  return month > 0 || year > 0
}

/** Placeholder for a missing price: undefined while loading, null if loading failed. */
export function missingPrice({ failed }: PriceState): null | undefined {
  return failed ? null : undefined
}

/** A price in a form; undefined: loading, null: loading failed. */
export function FormPrice({
  billed,
  pricing,
}: {
  billed: BilledAmounts | null | undefined
  pricing: Pricing
}) {
  const t = useT()
  if (billed === undefined) return <Skeleton width={90} height={14} />
  if (billed === null) return '–'
  return isCharged(billed) ? priceLabel(billed, pricing) : t('subscriptions.free')
}

interface DiscountNoteProps {
  pricing: Pricing
  /** The prices above the note. */
  prices: readonly BilledAmounts[]
}

/** Explains the mark at discounted prices; renders nothing if no price has one. */
export function DiscountNote({ pricing: { discount, discountName }, prices }: DiscountNoteProps) {
  const t = useT()
  if (discount <= 0 || !prices.some(isCharged)) return null
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
