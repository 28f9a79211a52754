import type { Forecast, WalletDetail } from '@gatehouse/contract/billing/wallets'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Money } from '../../domain/wallet/money.tsx'
import { day, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { BalanceChart } from './balance-chart.tsx'
import type { Plan } from './payments/pay/top-ups.ts'
import { forecastQuery, walletQuery } from './wallet-calls.ts'

/** Current balance, how long it lasts, and its chart. */
export function BalancePanel({ id, plan }: { id: string; plan?: Plan | undefined }) {
  const wallet = useQuery(walletQuery(id))
  const forecast = useQuery(forecastQuery(id))
  const retry = () => Promise.all([wallet.refetch(), forecast.refetch()])
  if (wallet.data && forecast.data) {
    return (
      <Panel>
        <Balance wallet={wallet.data} forecast={forecast.data} plan={plan} />
      </Panel>
    )
  }
  const isFailed = wallet.isError || forecast.isError
  return <Panel busy={!isFailed}>{isFailed ? <LoadFailed onRetry={retry} /> : <BalanceSkeleton />}</Panel>
}

interface BalanceProps {
  wallet: WalletDetail
  forecast: Forecast
  plan: Plan | undefined
}

function Balance({ wallet, forecast, plan }: BalanceProps) {
  const t = useT()
  const titleId = useId()
  return (
    <section className="wallet-balance" aria-labelledby={titleId}>
      <div className="wallet-head">
        <div>
          <h2 id={titleId}>{t('wallet.balance')}</h2>
          <p className="wallet-figure">
            <Money cents={wallet.balance} currency={wallet.currency} />
            <BalanceChip cents={wallet.balance} />
          </p>
        </div>
        <dl>
          {facts(t, wallet, forecast).map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <Notice wallet={wallet} left={daysLeft(wallet, forecast)} />
      {forecast.pending > 0 && (
        <p className="small text-2">
          {t('wallet.pending', { amount: price(forecast.pending, forecast.currency) })}
        </p>
      )}
      <BalanceChart id={wallet.id} forecast={forecast} plan={plan} />
    </section>
  )
}

function BalanceChip({ cents }: { cents: number }) {
  const t = useT()
  if (cents < 0) {
    return (
      <Chip tone="danger" icon={IconAlertTriangle}>
        {t('wallet.below')}
      </Chip>
    )
  }
  return cents === 0 ? (
    <Chip tone="muted" icon={IconClock}>
      {t('wallet.nothing')}
    </Chip>
  ) : (
    <Chip tone="success" icon={IconCircleCheck}>
      {t('wallet.credit')}
    </Chip>
  )
}

/** Number of days before the balance runs out from which it is urgent. */
const soon = 14

/** Returns about how many days the balance lasts; undefined: it is used up, or lasts beyond the forecast. */
function daysLeft(
  { lastsUntil }: Pick<WalletDetail, 'lastsUntil'>,
  { months }: Pick<Forecast, 'months'>,
): number | undefined {
  if (lastsUntil === null) return undefined
  const [first] = months
  if (!first) return soon
  // the first month ends one month from the server's current date
  return (Date.parse(lastsUntil) - Date.parse(first.until)) / 86_400_000 + 30
}

/** Important notices not covered by the facts above. */
function Notice({ wallet, left }: { wallet: WalletDetail; left: number | undefined }) {
  const t = useT()
  const { notice, noticeKind } = wallet
  const isUrgent = left !== undefined && left <= soon
  if (notice === null) return null
  switch (noticeKind) {
    case 'used-up':
      return <Note tone="danger" title={notice} />
    case 'lasts':
      // the day is already among the facts
      return isUrgent ? <Note tone="warning" title={t('wallet.endsSoon')} /> : null
    case 'trial':
      return isUrgent ? <Note tone="warning" title={notice} /> : <p className="small text-2">{notice}</p>
    default:
      return <Note tone={isUrgent ? 'warning' : 'info'} title={notice} />
  }
}

function facts(
  t: ReturnType<typeof useT>,
  { balance, lastsUntil, discount, discount_description: reason, currency }: WalletDetail,
  { next }: Forecast,
): { label: string; value: ReactNode }[] {
  const until = () => {
    if (lastsUntil !== null) return <time dateTime={lastsUntil}>{day(lastsUntil, long)}</time>
    if (balance < 0) return t('words.usedUp')
    return next === null || discount === 100 ? t('wallet.noEnd') : t('wallet.longTime')
  }
  return [
    { label: t('wallet.lastsUntil'), value: until() },
    {
      label: t('words.nextCharge'),
      value: next
        ? t('wallet.nextCharge', { date: day(next.date, short), amount: price(next.amount, currency) })
        : t('words.none'),
    },
    ...(discount
      ? [
          {
            label: t('words.discount'),
            value: t('wallet.discountOf', {
              percent: discount,
              name: reason ?? '',
              named: reason ? 'yes' : 'no',
            }),
          },
        ]
      : []),
  ]
}

const long: Intl.DateTimeFormatOptions = { dateStyle: 'long', timeZone: 'UTC' }
const short: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', timeZone: 'UTC' }

function BalanceSkeleton() {
  return (
    <Loading>
      <div className="wallet-balance">
        <div className="wallet-head">
          <div>
            <Skeleton width={60} height={12} />
            <Skeleton width={190} height={32} />
          </div>
          <div className="wallet-facts">
            {[120, 150, 110].map((width) => (
              <div key={width}>
                <Skeleton width={80} height={12} />
                <Skeleton width={width} height={14} />
              </div>
            ))}
          </div>
        </div>
        <Skeleton width="70%" height={13} />
        <Skeleton height={190} />
      </div>
    </Loading>
  )
}
