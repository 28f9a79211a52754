import { HistoryList, historySorts } from '../../domain/events/history-list.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'

const outcomes = ['succeeded', 'failed'] as const

const options = { sorts: historySorts, filters: { outcome: outcomes }, order: 'desc' } as const

const labels = { succeeded: 'security.succeeded', failed: 'security.failed' } as const

/** The user's sign-ins, including failed and blocked ones. */
export function SignInsSection() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const query = useApiPage(
    'GET /api/v4/sign-ins',
    { query: { page, size, outcome: filters.outcome ?? null } },
    { staleTime: 0 },
  )
  return (
    <HistoryList
      query={query}
      navigation={navigation}
      tools={
        <ListFilter
          label={t('words.outcome')}
          all={t('words.all')}
          options={outcomes.map((outcome) => ({ value: outcome, label: t(labels[outcome]) }))}
          value={filters.outcome}
          onFilter={(outcome) => navigation.go({ filters: { outcome } })}
        />
      }
    />
  )
}
