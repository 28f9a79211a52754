import type { PricePreview, Sku } from '@gatehouse/contract/subscriptions'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { day, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Panel, Tag } from '../panel.tsx'
import { Loading, Skeleton } from '../skeleton.tsx'
import type { PriceState } from './use-price-preview.ts'
import './subscriptions.css'

export interface PricePanelProps {
  state: PriceState
  /** What is not there yet has no price before; only what it will cost is said. */
  isNew?: boolean
  /** Where known, they say in which unit quantities are counted. */
  skus?: readonly Sku[]
}

/** What a choice costs, before it is saved: each part, the sum a month, and what falls due now. */
export function PricePanel({ state, isNew = false, skus = [] }: PricePanelProps) {
  const t = useT()
  const { preview, pending, failed } = state
  const discount = preview?.discount ?? 0
  return (
    <Panel
      title={t('subscriptions.price')}
      actions={
        <>
          {pending && preview && <span className="spinner" aria-hidden="true" />}
          {discount > 0 && <Tag accent>{t('subscriptions.discountTag', { percent: number(discount) })}</Tag>}
        </>
      }
      busy={pending}
    >
      {preview && <Preview preview={preview} isNew={isNew} skus={skus} />}
      {!preview && failed && <Failed state={state} />}
      {!preview && !failed && <PriceSkeleton />}
    </Panel>
  )
}

interface PreviewProps {
  preview: PricePreview
  isNew: boolean
  skus: readonly Sku[]
}

function Preview({ preview, isNew, skus }: PreviewProps) {
  const t = useT()
  const { currency, monthly, dueNow, lines } = preview
  const shown = lines.filter((line) => line.quantity > 0 || line.change !== 0)
  return (
    <div className="price-preview">
      <ul className="price-lines">
        {shown.map((line) => (
          <Line key={line.skuId} line={line} currency={currency} skus={skus} />
        ))}
      </ul>
      <dl className="price-sums" aria-live="polite">
        <div className="price-total">
          <dt>{t('subscriptions.perMonth')}</dt>
          <dd>{price(monthly.next, currency)}</dd>
        </div>
        {!isNew && (
          <div>
            <dt>{t('subscriptions.untilNow')}</dt>
            <dd>{price(monthly.now, currency)}</dd>
          </div>
        )}
        <div>
          <dt>{t('subscriptions.dueNow')}</dt>
          <dd>{price(dueNow, currency)}</dd>
        </div>
      </dl>
      <p className="small text-2">{t(explanation(preview, isNew))}</p>
      {preview.later.map(({ date, monthly: then }) => (
        <p key={date} className="small text-2">
          {t('subscriptions.later', {
            price: price(then, currency),
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
  const { skuId, name, quantity, monthly, change } = line
  const unit = skus.find(({ id }) => id === skuId)?.range?.unit
  const count = number(quantity)
  const amount = unit ? t('subscriptions.units', { count, unit }) : count
  return (
    <li data-gone={quantity === 0 || undefined}>
      <span>{unit || quantity > 1 ? t('subscriptions.line', { name, amount }) : name}</span>
      <span className="nowrap">
        {monthly > 0 || quantity === 0
          ? price(quantity > 0 ? monthly : change, currency)
          : t('subscriptions.free')}
      </span>
    </li>
  )
}

function explanation({ monthly, dueNow }: PricePreview, isNew: boolean) {
  if (isNew) return 'subscriptions.newHint'
  if (monthly.now === monthly.next && dueNow === 0) return 'subscriptions.sameHint'
  return dueNow > 0 ? 'subscriptions.dueHint' : 'subscriptions.changeHint'
}

function Failed({ state }: { state: PriceState }) {
  const t = useT()
  return (
    <div className="stack stack-tight" role="status">
      <p className="text-2">{t('subscriptions.noPrice')}</p>
      <div>
        <Button size="small" icon={IconRefresh} onPress={state.retry}>
          {t('load.retry')}
        </Button>
      </div>
    </div>
  )
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
