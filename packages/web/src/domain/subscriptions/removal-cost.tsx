import type { SkuType } from '@gatehouse/contract/billing/subscriptions'
import { price, priceLabel } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { isCharged } from './discount.tsx'
import { type PriceState, useObjectPrice } from './use-price-preview.ts'

/** The cost of deleting an object, and what is no longer billed afterwards. */
export function ObjectRemovalCost({ type, id }: { type: SkuType; id: number }) {
  return <RemovalCost cost={useObjectPrice({ type, action: 'delete', id })} />
}

/** The same, for a price that was already requested. */
export function RemovalCost({ cost: { preview, failed, retry } }: { cost: PriceState }) {
  const t = useT()
  if (preview) {
    const { currency, billed, dueNow } = preview
    const values = { due: price(dueNow, currency), saved: priceLabel(billed.now, { currency }) }
    if (isCharged(billed.now)) {
      return t(dueNow > 0 ? 'subscriptions.removalDueSaves' : 'subscriptions.removalSaves', values)
    }
    return t(dueNow > 0 ? 'subscriptions.removalDue' : 'subscriptions.removalFree', values)
  }
  if (!failed) return <Skeleton width="80%" height={20} />
  return (
    <>
      {t('subscriptions.removalUnknown')}{' '}
      <Button size="small" onPress={retry}>
        {t('load.retry')}
      </Button>
    </>
  )
}
