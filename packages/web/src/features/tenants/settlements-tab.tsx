import type { Settlement } from '@gatehouse/contract/staff/tenants'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useState } from 'react'
import { balance, day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { download } from '../../platform/api/download.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { SettlementLines } from './settlement-lines.tsx'

const options = { sorts: ['period'], filters: {}, order: 'desc' } as const

type Month = Omit<Settlement, 'lines'>

/** The tenant's monthly earnings; each month expands to its customers. */
export function SettlementsTab({ id }: { id: string }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const [open, setOpen] = useState<string>()
  const query = useApiPage('GET /api/v4/tenants/{id}/settlements', { params: { id }, query: { page, size } })
  const toggle = (period: string) => setOpen(open === period ? undefined : period)
  return (
    <DataList
      label={t('tenants.settlements')}
      columns={useColumns(id, open, toggle)}
      rowKey={({ period }) => period}
      detail={({ period }) => (open === period ? <SettlementLines id={id} period={period} /> : undefined)}
      query={query}
      navigation={navigation}
      empty={<EmptyState title={t('tenants.noSettlements')}>{t('tenants.noSettlementsText')}</EmptyState>}
    />
  )
}

function useColumns(
  id: string,
  open: string | undefined,
  toggle: (period: string) => void,
): readonly Column<Month>[] {
  const t = useT()
  return [
    {
      name: 'period',
      label: t('words.month'),
      phone: 'main',
      cell: ({ period }) => <span className="medium">{monthName(period)}</span>,
    },
    {
      name: 'charged',
      label: t('tenants.charged'),
      phone: 'hidden',
      align: 'end',
      cell: ({ charged, currency }) => balance(charged, currency),
    },
    {
      name: 'fees',
      label: t('tenants.fees'),
      phone: 'hidden',
      align: 'end',
      cell: ({ fees, currency }) => balance(fees, currency),
    },
    {
      name: 'profit',
      label: t('tenants.profit'),
      phone: 'meta',
      align: 'end',
      cell: ({ profit, currency }) => (
        <span className={profit < 0 ? 'medium negative' : 'medium'}>{balance(profit, currency)}</span>
      ),
    },
    {
      name: 'actions',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      cell: ({ period }) => (
        <span className="tenants-actions">
          <Button
            variant="quiet"
            icon={IconDownload}
            label={t('tenants.csv', { month: monthName(period) })}
            onPress={() =>
              download('GET /api/v4/tenants/{id}/settlements/{period}/csv', { params: { id, period } })
            }
          />
          <Button
            variant="quiet"
            icon={open === period ? IconChevronUp : IconChevronDown}
            label={t('tenants.linesOf', { month: monthName(period) })}
            aria-expanded={open === period}
            onPress={() => toggle(period)}
          />
        </span>
      ),
    },
  ]
}

/** `2026-10` as "October 2026". */
function monthName(period: string): string {
  return day(`${period}-01`, { month: 'long', year: 'numeric', timeZone: 'UTC' })
}
