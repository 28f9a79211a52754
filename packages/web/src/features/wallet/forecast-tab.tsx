import type { Forecast } from '@gatehouse/contract/billing/wallets'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useQuery } from '@tanstack/react-query'
import { balance, day, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Column, DataTable, DataTableSkeleton } from '../../ui/data-table/data-table.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { ForecastChart } from './balance-chart.tsx'
import { PriceChanges } from './price-changes.tsx'
import { forecastQuery } from './wallet-calls.ts'

type Month = Forecast['months'][number]

/** Costs and balances of the next twelve months, as chart and table. */
export function ForecastTab({ id }: { id: string }) {
  const t = useT()
  const { data, isError, refetch } = useQuery(forecastQuery(id))
  const columns = useColumns(data?.currency)
  if (isError) {
    return (
      <Panel title={t('wallet.forecastTitle')}>
        <LoadFailed onRetry={refetch} />
      </Panel>
    )
  }
  if (!data) {
    return (
      <Panel title={t('wallet.forecastTitle')} flush busy>
        <div className="panel-body">
          <Skeleton height={190} />
        </div>
        <DataTableSkeleton columns={columns} count={12} />
      </Panel>
    )
  }
  if (data.months.every(({ charges }) => charges === 0) && data.priceChanges.length === 0) {
    return (
      <section className="panel">
        <EmptyState title={t('wallet.forecastEmpty')}>{t('wallet.forecastEmptyText')}</EmptyState>
      </section>
    )
  }
  return (
    <div className="stack">
      <PriceChanges changes={data.priceChanges} currency={data.currency} />
      <Panel title={t('wallet.forecastTitle')} flush footer={t('wallet.forecastNote')}>
        <div className="panel-body">
          <ForecastChart id={id} forecast={data} />
        </div>
        <DataTable
          label={t('wallet.forecastTitle')}
          columns={columns}
          rows={data.months}
          rowKey={({ until }) => until}
        />
      </Panel>
    </div>
  )
}

function useColumns(currency = 'CHF'): readonly Column<Month>[] {
  const t = useT()
  return [
    {
      name: 'until',
      label: t('wallet.until'),
      phone: 'main',
      cell: ({ until }) => day(until, { dateStyle: 'long', timeZone: 'UTC' }),
    },
    {
      name: 'charges',
      label: t('wallet.charges'),
      phone: 'meta',
      align: 'end',
      cell: ({ charges }) => (
        <span className="text-2">
          <span className="wallet-phone">{t('wallet.charges')} </span>
          {price(charges, currency)}
        </span>
      ),
    },
    {
      name: 'balance',
      label: t('wallet.balanceAfter'),
      phone: 'aside',
      align: 'end',
      cell: ({ balance: left }) =>
        left < 0 ? (
          <span className="negative wallet-below">
            <Icon of={IconAlertTriangle} size="small" label={t('wallet.below')} />
            {balance(left, currency)}
          </span>
        ) : (
          balance(left, currency)
        ),
    },
  ]
}
