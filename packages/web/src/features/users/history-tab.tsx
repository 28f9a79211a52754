import type { UserDetail } from '@gatehouse/contract/users'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../app/query.tsx'
import type { MessageKey } from '../../i18n/areas.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { HistoryList, historySorts } from '../../ui/history/history-list.tsx'
import { profileLabels } from './edit-frame.tsx'
import { profileFields } from './user-values.ts'

const kinds = ['user', 'password', 'mail'] as const

const kindLabels: Record<(typeof kinds)[number], MessageKey> = {
  user: 'users.eventUser',
  password: 'users.eventPassword',
  mail: 'users.eventMail',
}

const options = { sorts: historySorts, filters: { event: kinds }, order: 'desc' } as const

/** Fields that a change may name, in the order of the form. */
const fields = ['email', 'aliases', 'subscriptions', ...profileFields]

/** Who did what to a user, newest first. */
export function HistoryTab({ user }: { user: UserDetail }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const query = useQuery({
    ...apiQuery('GET /api/v4/users/{id}/events', {
      params: { id: String(user.id) },
      query: { page, size, event: filters.event ? `${filters.event}.` : null },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <HistoryList
      query={query}
      navigation={navigation}
      fields={fields}
      fieldLabel={(field) => fieldLabel(t, field)}
      tools={
        <ListFilter
          label={t('users.event')}
          all={t('users.anyEvent')}
          options={kinds.map((kind) => ({ value: kind, label: t(kindLabels[kind]) }))}
          value={filters.event}
          onFilter={(value) => navigation.go({ filters: { event: kinds.find((kind) => kind === value) } })}
        />
      }
    />
  )
}

function fieldLabel(t: Translate, field: string): string {
  const profile = profileFields.find((one) => one === field)
  if (profile) return t(profileLabels[profile])
  if (field === 'email') return t('users.email')
  if (field === 'aliases') return t('users.aliases')
  return field === 'subscriptions' ? t('users.subscriptions') : field
}
