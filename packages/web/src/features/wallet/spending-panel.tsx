import type { Forecast, WalletSettings } from '@gatehouse/contract/billing/wallets'
import { useQuery } from '@tanstack/react-query'
import { day, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Link } from '../../router/link.tsx'
import { useLocation } from '../../router/router-context.tsx'
import { Facts } from '../../ui/facts/facts.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { forecastQuery, settingsQuery } from './wallet-calls.ts'

/** Monthly cost of the account, its ceiling, and who receives low balance alerts. */
export function SpendingPanel({ id }: { id: string }) {
  const t = useT()
  const costs = useApi('GET /api/v4/wallets/{id}/costs', { params: { id }, query: { size: 1 } })
  const settings = useQuery(settingsQuery(id))
  const forecast = useQuery(forecastQuery(id))
  // the query is untyped without registered routes
  const query = useLocation().search
  const isFailed = costs.isError || settings.isError
  const retry = () => Promise.all([costs.refetch(), settings.refetch()])
  if (!costs.data || !settings.data) {
    return (
      <Panel title={t('wallet.spending')} busy={!isFailed}>
        {isFailed ? <LoadFailed onRetry={retry} /> : <SpendingSkeleton />}
      </Panel>
    )
  }
  const { monthly, total, currency } = costs.data
  return (
    <Panel
      title={t('wallet.spending')}
      footer={
        <Link to="." search={{ wallet: query.wallet, tab: 'more', part: 'alerts' }} resetScroll={false}>
          {t('wallet.setLimits')}
        </Link>
      }
    >
      <div className="stack">
        <Facts
          facts={[
            { label: t('wallet.perMonth'), value: <b>{price(monthly, currency)}</b> },
            { label: t('wallet.objects'), value: number(total) },
            { label: t('wallet.alertsShort'), value: alertWords(t, settings.data, currency) },
            {
              label: t('words.monthlyCeiling'),
              value:
                settings.data.monthly_ceiling === null
                  ? t('words.none')
                  : price(settings.data.monthly_ceiling, currency),
            },
          ]}
        />
        <NextCharge monthly={monthly} forecast={forecast.data} />
        <Ceiling monthly={monthly} ceiling={settings.data.monthly_ceiling} />
      </div>
    </Panel>
  )
}

/** Explains why the next charge differs from the monthly cost, if it does. */
function NextCharge({ monthly, forecast }: { monthly: number; forecast: Forecast | undefined }) {
  const t = useT()
  const { next, currency } = forecast ?? {}
  if (!next || next.amount === monthly) return null
  return (
    <p className="small text-2">
      {t(next.amount < monthly ? 'wallet.nextIsPart' : 'wallet.nextIsMore', {
        date: day(next.date, { day: 'numeric', month: 'long' }),
        amount: price(next.amount, currency),
      })}
    </p>
  )
}

function alertWords(t: ReturnType<typeof useT>, { alerts }: WalletSettings, currency: string): string {
  if (alerts.length === 0) return t('words.none')
  return t('wallet.alertsAt', { amounts: alerts.map((cents) => price(cents, currency)).join(', ') })
}

/** Usage of the ceiling. */
function Ceiling({ monthly, ceiling }: { monthly: number; ceiling: number | null }) {
  const t = useT()
  if (ceiling === null || ceiling === 0) return null
  const share = monthly / ceiling
  return (
    <div className="stack stack-tight">
      <div className={share > 1 ? 'meter meter-over' : 'meter'} aria-hidden="true">
        <i style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
      <p className="small text-2">
        {t('wallet.ceilingUsed', { share: number(share, { style: 'percent', maximumFractionDigits: 0 }) })}
      </p>
    </div>
  )
}

function SpendingSkeleton() {
  return (
    <Loading>
      <div className="facts">
        {[70, 30, 90, 60].map((width) => (
          <div key={width}>
            <Skeleton width={width + 40} height={13} />
            <Skeleton width={width} height={13} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
