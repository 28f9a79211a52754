import { discountedPrice } from '@gatehouse/contract/price'
import type { Sku, SkuType } from '@gatehouse/contract/subscriptions'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../app/auth.ts'
import { apiQuery } from '../../app/query.tsx'
import { number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { LoadFailed } from '../load-failed.tsx'
import { Panel, Tag } from '../panel.tsx'
import { Loading, Skeleton } from '../skeleton.tsx'
import { type Pricing, pricingOf } from '../subscriptions/discount.tsx'
import '../subscriptions/subscriptions.css'

/** What one more object of a type costs a month, before it is made. */
export function NewPrice({ type }: { type: SkuType }) {
  const user = useUser()
  const query = useQuery(apiQuery('GET /api/v4/skus', { query: { type } }))
  return <NextPrice query={query} pricing={pricingOf(user?.wallet)} />
}

export interface NextPriceProps {
  /** What is on sale for objects of one type, each with the price of one more. */
  query: { data: readonly Sku[] | undefined; isPending: boolean; isError: boolean; refetch: () => unknown }
  pricing: Pricing
}

/** The same in whatever account. */
export function NextPrice({ query, pricing: { currency, discount } }: NextPriceProps) {
  const t = useT()
  const skus = query.data?.filter(({ enabled, readonly }) => enabled || readonly)
  return (
    <Panel
      title={t('subscriptions.price')}
      actions={
        discount > 0 && <Tag accent>{t('subscriptions.discountTag', { percent: number(discount) })}</Tag>
      }
      busy={query.isPending}
    >
      {skus && <Lines skus={skus} currency={currency} discount={discount} />}
      {!skus && query.isError && <LoadFailed onRetry={query.refetch} />}
      {!skus && !query.isError && (
        <Loading>
          <div className="price-preview">
            <Skeleton width="80%" />
            <Skeleton height={20} />
            <Skeleton width="90%" />
          </div>
        </Loading>
      )}
    </Panel>
  )
}

function Lines({ skus, currency, discount }: { skus: readonly Sku[]; currency: string; discount: number }) {
  const t = useT()
  const priced = skus.map((sku) => ({
    sku,
    cents: discountedPrice(sku.nextCost ?? sku.cost, discount),
    usual: discountedPrice(sku.cost, discount),
  }))
  const sum = priced.reduce((total, { cents }) => total + cents, 0)
  const isIncluded = sum === 0 && priced.some(({ usual }) => usual > 0)
  return (
    <div className="price-preview">
      <ul className="price-lines">
        {priced.map(({ sku, cents }) => (
          <li key={sku.id}>
            <span>{sku.name}</span>
            <span className="nowrap">{cents > 0 ? price(cents, currency) : t('subscriptions.free')}</span>
          </li>
        ))}
      </ul>
      <dl className="price-sums">
        <div className="price-total">
          <dt>{t('subscriptions.perMonth')}</dt>
          <dd>{price(sum, currency)}</dd>
        </div>
      </dl>
      <p className="small text-2">{t(isIncluded ? 'directory.priceIncluded' : 'subscriptions.newHint')}</p>
    </div>
  )
}
