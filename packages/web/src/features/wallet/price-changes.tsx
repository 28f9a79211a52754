import type { AnnouncedPrice } from '@gatehouse/contract/billing/wallets'
import { day, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Panel } from '../../ui/page/panel.tsx'

interface Props {
  changes: readonly AnnouncedPrice[]
  currency: string
}

/** Upcoming price changes: what, when, and the resulting monthly cost. */
export function PriceChanges({ changes, currency }: Props) {
  const t = useT()
  const columns = useColumns(currency)
  if (changes.length === 0) return null
  return (
    <Panel title={t('wallet.priceChanges')} flush footer={t('wallet.priceChangesNote')}>
      <DataTable label={t('wallet.priceChanges')} columns={columns} rows={changes} rowKey={({ id }) => id} />
    </Panel>
  )
}

function useColumns(currency: string): readonly Column<AnnouncedPrice>[] {
  const t = useT()
  return [
    {
      name: 'name',
      label: t('words.subscription'),
      phone: 'main',
      cell: ({ name, reason }) => (
        <>
          <span className="medium">{name}</span>
          {reason && <span className="data-second wallet-reason">{reason}</span>}
        </>
      ),
    },
    {
      name: 'date',
      label: t('wallet.priceFrom'),
      phone: 'meta',
      cell: ({ date }) => <span className="nowrap">{day(date, { dateStyle: 'long', timeZone: 'UTC' })}</span>,
    },
    {
      name: 'prices',
      label: t('wallet.priceEach'),
      phone: 'meta',
      cell: ({ prices, months }) =>
        prices.map(({ from, to, units }) => (
          <span key={from} className="wallet-price">
            {t(months === 1 ? 'wallet.priceMonth' : 'wallet.priceYear', {
              from: price(from, currency),
              to: price(to, currency),
              units,
              count: number(units),
            })}
          </span>
        )),
    },
    {
      name: 'account',
      label: t('wallet.priceAccount'),
      phone: 'aside',
      align: 'end',
      cell: ({ before, after }) => (
        <span className="nowrap">
          {t('words.fromTo', { from: price(before, currency), to: price(after, currency) })}
        </span>
      ),
    },
  ]
}
