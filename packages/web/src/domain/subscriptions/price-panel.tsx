import type { BilledAmounts, PricePreview, Sku } from '@gatehouse/contract/billing/subscriptions'
import { day, number, price, priceLabel } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { QuoteFailed } from '../quotes/quote-failed.tsx'
import { isCharged } from './discount.tsx'
import type { PriceState } from './use-price-preview.ts'
import './subscriptions.css'

export interface PricePanelProps {
  state: PriceState
  /** A new object has no previous price; only the new price is shown. */
  isNew?: boolean
  /** If known, they provide the units of quantities. */
  skus?: readonly Sku[]
}

/** The cost of a choice before it is saved: each part, the monthly total, and the amount due now. */
export function PricePanel({ state, isNew = false, skus = [] }: PricePanelProps) {
  const t = useT()
  const { preview, pending, failed } = state
  // free items have no discount
  const isBilled = preview && (isCharged(preview.billed.now) || isCharged(preview.billed.next))
  const discount = isBilled || preview?.discount === 100 ? preview.discount : 0
  return (
    <Panel
      title={t('words.price')}
      actions={
        <>
          {pending && preview && <span className="spinner" aria-hidden="true" />}
          {discount > 0 && <Tag accent>{t('subscriptions.discountTag', { percent: number(discount) })}</Tag>}
        </>
      }
      busy={pending}
    >
      {preview && <Preview preview={preview} isNew={isNew} skus={skus} pending={pending} />}
      {!preview && failed && <QuoteFailed text={t('subscriptions.noPrice')} onRetry={state.retry} />}
      {!preview && !failed && <PriceSkeleton />}
    </Panel>
  )
}

interface PreviewProps {
  preview: PricePreview
  isNew: boolean
  skus: readonly Sku[]
  /** The price belongs to an earlier choice. */
  pending: boolean
}

function Preview({ preview, isNew, skus, pending }: PreviewProps) {
  const t = useT()
  const { currency, billed, dueNow, lines } = preview
  const shown = lines.filter((line) => line.quantity > 0 || line.change !== 0)
  return (
    <div className="price-preview" data-pending={pending || undefined}>
      <ul className="price-lines">
        {shown.map((line) => (
          <Line key={line.skuId} line={line} currency={currency} skus={skus} />
        ))}
      </ul>
      <dl className="price-sums" aria-live="polite">
        {(billed.next.month > 0 || billed.next.year === 0) && (
          <div className="price-total">
            <dt>{t('subscriptions.perMonth')}</dt>
            <dd>{price(billed.next.month, currency)}</dd>
          </div>
        )}
        {billed.next.year > 0 && (
          <div className="price-total">
            <dt>{t('subscriptions.perYear')}</dt>
            <dd>{price(billed.next.year, currency)}</dd>
          </div>
        )}
        {!isNew && (
          <div>
            <dt>{t('subscriptions.untilNow')}</dt>
            <dd>{amount(billed.now, currency)}</dd>
          </div>
        )}
        <div>
          <dt>{t('subscriptions.dueNow')}</dt>
          <dd>{price(dueNow, currency)}</dd>
        </div>
      </dl>
      <p className="small text-2">{t(explanation(preview, isNew, skus))}</p>
      {preview.later.map(({ date, monthly }) => (
        <p key={date} className="small text-2">
          {t('subscriptions.later', {
            price: price(monthly, currency),
            day: day(date, { dateStyle: 'long', timeZone: 'UTC' }),
          })}
        </p>
      ))}
      {preview.trialUntil && (
        <p className="small text-2">{t('subscriptions.trial', { date: day(preview.trialUntil) })}</p>
      )}
    </div>
  )
}

interface LineProps {
  line: PricePreview['lines'][number]
  currency: string
  skus: readonly Sku[]
}

function Line({ line, currency, skus }: LineProps) {
  const t = useT()
  const { skuId, name, quantity, billed, change } = line
  const unit = skus.find(({ id }) => id === skuId)?.range?.unit
  const count = number(quantity)
  const units = unit ? t('subscriptions.units', { count, unit }) : count
  return (
    <li data-gone={quantity === 0 || undefined}>
      <span>{unit || quantity > 1 ? t('subscriptions.line', { name, amount: units }) : name}</span>
      <span className="nowrap">
        {quantity === 0 && price(change, currency)}
        {quantity > 0 && (isCharged(billed) ? amount(billed, currency) : t('subscriptions.free'))}
      </span>
    </li>
  )
}

/** Amount of a line, marked if it is billed yearly. */
function amount(billed: BilledAmounts, currency: string): string {
  return billed.year > 0 ? priceLabel(billed, { currency }) : price(billed.month, currency)
}

function explanation(preview: PricePreview, isNew: boolean, skus: readonly Sku[]) {
  const { billed, change, dueNow } = preview
  if (isNew && isIncluded(preview, skus)) return 'subscriptions.includedHint'
  if (isNew)
    return billed.next.year > 0 && billed.next.month === 0
      ? 'subscriptions.yearHint'
      : 'subscriptions.newHint'
  if (change === 0 && dueNow === 0) return 'subscriptions.sameHint'
  return dueNow > 0 ? 'subscriptions.dueHint' : 'subscriptions.changeHint'
}

/** Whether a SKU with a list price is free here, as one of the free units. */
function isIncluded({ lines, discount }: PricePreview, skus: readonly Sku[]): boolean {
  if (discount === 100) return false
  const hasPrice = skus.some(({ id, cost }) => cost > 0 && lines.some((line) => line.skuId === id))
  return hasPrice && !lines.some((line) => isCharged(line.billed))
}

function PriceSkeleton() {
  return (
    <Loading>
      <div className="price-preview">
        <Skeleton width="80%" />
        <Skeleton width="64%" />
        <Skeleton width="72%" />
        <Skeleton height={20} />
        <Skeleton width="90%" />
      </div>
    </Loading>
  )
}
