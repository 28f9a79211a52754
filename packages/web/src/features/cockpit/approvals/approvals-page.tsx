import { useT } from '../../../i18n/i18n.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { DataList } from '../../../ui/data-table/data-list.tsx'
import { ListFilter } from '../../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { useApprovalColumns } from './approval-columns.tsx'
import { looks, states } from './approval-state.ts'
import './approvals.css'

const options = { sorts: ['created'], filters: { state: states }, order: 'desc' } as const

/** Bonuses and penalties that need a second person's approval, with the decisions. */
export function ApprovalsPage() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const query = useApiPage(
    'GET /api/v4/one-offs',
    { query: { page, size, state: filters.state ?? null } },
    { staleTime: 0 },
  )
  return (
    <>
      <PageHead title={t('cockpit.approvals')} facts={t('approvals.facts')} />
      <DataList
        label={t('cockpit.approvals')}
        columns={useApprovalColumns()}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        tools={
          <ListFilter
            label={t('approvals.state')}
            all={t('words.all')}
            options={states.map((state) => ({ value: state, label: t(looks[state].label) }))}
            value={filters.state}
            onFilter={(state) => navigation.go({ filters: { state } })}
          />
        }
        empty={<EmptyState title={t('approvals.empty')}>{t('approvals.emptyText')}</EmptyState>}
      />
    </>
  )
}
