import type { DomainListItem } from '@gatehouse/contract/directory/domains'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { ExportMenu } from '../../domain/bulk/export-menu.tsx'
import { useBulk } from '../../domain/bulk/use-bulk.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApi, useApiPage } from '../../platform/api/query.tsx'
import { useUser } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { useDeletedColumns, useDomainColumns } from './domain-columns.tsx'
import { domainStates, listOptions, stateLabels } from './domains-place.ts'
import './domains.css'

/**
 * All domains of the accounts the user owns or manages; the filter "deleted" lists those that can be
 * restored.
 */
export function DomainsPage() {
  const t = useT()
  const navigation = useListPlace(listOptions)
  const { page, size, search, sort, order, filters } = navigation.place
  const live = useDomainColumns()
  const deleted = useDeletedColumns()
  const query = useApiPage('GET /api/v4/domains', {
    query: { page, size, search: search || null, sort, order, status: filters.status ?? null },
  })

  const bulk = useBulk<DomainListItem>({
    objects: 'domains',
    name: ({ displayName }) => displayName,
    search,
    status: filters.status,
  })

  return (
    <>
      <Head search={search} status={filters.status} />
      <DataList
        label={t('words.domains')}
        columns={filters.status === 'deleted' ? deleted : live}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        choice={bulk.choice}
        tools={
          <>
            <ListSearch
              label={t('domains.search')}
              placeholder={t('words.nameOfTheDomain')}
              value={search}
              onSearch={(text) => navigation.go({ search: text }, { replace: search !== '' && text !== '' })}
            />
            <ListFilter
              label={t('domains.status')}
              all={t('words.any')}
              options={domainStates.map((state) => ({ value: state, label: t(stateLabels[state]) }))}
              value={filters.status}
              onFilter={(status) => navigation.go({ filters: { status } })}
            />
          </>
        }
        empty={
          <EmptyState title={t('domains.emptyTitle')} action={<NewDomain />}>
            {t('domains.emptyText')}
          </EmptyState>
        }
      />
      {bulk.dialog}
    </>
  )
}

/** Title with the number of all domains, regardless of the filter below. */
function Head({ search, status }: { search: string; status: string | undefined }) {
  const t = useT()
  const { data } = useApi('GET /api/v4/domains', { query: { size: 1 } })
  return (
    <PageHead
      title={t('words.domains')}
      facts={data ? t('domains.count', { count: data.total }) : '\u00a0'}
      actions={
        <>
          {data?.total !== 0 && (
            <ExportMenu route="GET /api/v4/domains/export" search={search} status={status} />
          )}
          <NewDomain />
        </>
      }
    />
  )
}

/** Disabled until the account has been paid for. */
function NewDomain() {
  const t = useT()
  const user = useUser()
  if (user?.isDegraded || user?.isAccountDegraded) return null
  return (
    <ButtonLink to="/domain/new" variant="primary" icon={IconPlus}>
      {t('words.newDomain')}
    </ButtonLink>
  )
}
