import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { balance, day, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

const options = { sorts: ['title'], filters: {} } as const

/** The resellers of the installation, and the service itself. */
export function TenantsPage() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search } = navigation.place
  const query = useApiPage('GET /api/v4/tenants', { query: { page, size, search: search || null } })
  return (
    <>
      <PageHead title={t('cockpit.tenants')} facts={t('tenants.facts')} />
      <DataList
        label={t('cockpit.tenants')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        tools={
          <ListSearch
            label={t('tenants.search')}
            placeholder={t('tenants.searchText')}
            value={search}
            maxLength={64}
            onSearch={(text) => navigation.go({ search: text })}
          />
        }
        empty={<EmptyState title={t('tenants.empty')}>{t('tenants.emptyText')}</EmptyState>}
      />
    </>
  )
}

function useColumns(): readonly Column<Tenant>[] {
  const t = useT()
  return [
    {
      name: 'title',
      label: t('words.tenant'),
      phone: 'main',
      cell: ({ id, title }) => (
        <>
          <TableLink to={`/tenant/${id}`}>{title}</TableLink>
          <span className="data-second">{t('tenants.number', { id })}</span>
        </>
      ),
    },
    {
      name: 'users',
      label: t('words.users'),
      phone: 'meta',
      align: 'end',
      // on a phone, no heading says what the number counts
      cell: ({ usage, limits }) =>
        limits.users === null
          ? t('words.userCount', { count: usage.users })
          : ofLimit(number(usage.users), limits.users),
    },
    {
      name: 'wallet',
      label: t('words.wallet'),
      phone: 'aside',
      align: 'end',
      cell: ({ wallet }) =>
        wallet && (
          <span className={wallet.balance < 0 ? 'negative' : undefined}>
            {balance(wallet.balance, wallet.currency)}
          </span>
        ),
    },
    {
      name: 'created',
      label: t('words.created'),
      phone: 'hidden',
      align: 'end',
      cell: ({ created_at: created }) => <span className="text-2 nowrap">{day(created)}</span>,
    },
  ]
}

function ofLimit(used: string, limit: number | null): string {
  return limit === null ? used : `${used} / ${number(limit)}`
}
