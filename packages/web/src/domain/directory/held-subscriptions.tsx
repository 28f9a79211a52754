import type { Sku, Subscriptions } from '@gatehouse/contract/billing/subscriptions'
import type { Wallet } from '@gatehouse/contract/directory/users'
import { useT } from '../../i18n/i18n.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { pricingOf } from '../subscriptions/discount.tsx'
import { heldUnits } from '../subscriptions/rules.ts'
import { SubscriptionSelect } from '../subscriptions/subscription-select.tsx'

export interface HeldSubscriptionsProps {
  held: Subscriptions
  wallet: Wallet | null
  query: { data: readonly Sku[] | undefined; isError: boolean; refetch: () => unknown }
}

/** An object's subscriptions and their cost, read-only. */
export function HeldSubscriptions({ held, wallet, query }: HeldSubscriptionsProps) {
  const t = useT()
  const { data, isError, refetch } = query
  return (
    <FormSection title={t('words.subscriptions')} hint={t('directory.subscriptionsHint')}>
      {data && (
        <SubscriptionSelect
          id="skus"
          label={t('words.subscriptions')}
          skus={data}
          held={held}
          value={heldUnits(held)}
          onValue={() => {}}
          pricing={pricingOf(wallet ?? undefined)}
          readOnly
        />
      )}
      {!data && (isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={1} />)}
    </FormSection>
  )
}
