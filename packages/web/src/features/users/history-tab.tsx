import type { UserDetail } from '@gatehouse/contract/directory/users'
import { kindLabels } from '../../domain/events/event-kinds.ts'
import { HistoryList, historySorts } from '../../domain/events/history-list.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'

/** Kinds of activity shown for a user; domains and the like have their own. */
const kinds = ['user', 'password', 'sign-in', 'session', 'access', 'delegation', 'mail', 'file'] as const

const options = { sorts: historySorts, filters: { event: kinds }, order: 'desc' } as const

/** Who did what to a user, newest first. */
export function HistoryTab({ user }: { user: UserDetail }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const query = useApiPage('GET /api/v4/users/{id}/events', {
    params: { id: String(user.id) },
    query: { page, size, event: filters.event ? `${filters.event}.` : null },
  })
  return (
    <HistoryList
      query={query}
      navigation={navigation}
      tools={
        <ListFilter
          label={t('events.event')}
          all={t('words.all')}
          options={kinds.map((kind) => ({ value: kind, label: t(kindLabels[kind]) }))}
          value={filters.event}
          onFilter={(value) => navigation.go({ filters: { event: kinds.find((kind) => kind === value) } })}
        />
      }
    />
  )
}
