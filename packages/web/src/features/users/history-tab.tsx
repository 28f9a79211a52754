import type { AuditEvent } from '@gatehouse/contract/events'
import type { UserDetail } from '@gatehouse/contract/users'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../app/query.tsx'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { profileLabels } from './edit-frame.tsx'
import { changesIn } from './event-changes.ts'
import { profileFields } from './user-values.ts'

const kinds = ['user', 'password', 'mail'] as const

const kindLabels: Record<(typeof kinds)[number], MessageKey> = {
  user: 'users.eventUser',
  password: 'users.eventPassword',
  mail: 'users.eventMail',
}

const options = { sorts: ['time'], filters: { event: kinds }, order: 'desc' } as const

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
    <DataList
      label={t('users.history')}
      columns={columns(t)}
      rowKey={({ id }) => id}
      query={query}
      navigation={navigation}
      sorts={options.sorts}
      tools={
        <ListFilter
          label={t('users.event')}
          all={t('users.anyEvent')}
          options={kinds.map((kind) => ({ value: kind, label: t(kindLabels[kind]) }))}
          value={filters.event}
          onFilter={(value) => navigation.go({ filters: { event: kinds.find((kind) => kind === value) } })}
        />
      }
      empty={<EmptyState title={t('users.noHistory')}>{t('users.noHistoryText')}</EmptyState>}
    />
  )
}

function columns(t: Translate): readonly Column<AuditEvent>[] {
  return [
    {
      name: 'event',
      label: t('users.event'),
      phone: 'main',
      width: '50%',
      cell: (event) => <EventCell event={event} />,
    },
    {
      name: 'actor',
      label: t('users.actor'),
      phone: 'meta',
      cell: (event) => (
        <>
          {event.actor ?? t('users.system')}
          {event.ip && <span className="users-ip">{event.ip}</span>}
        </>
      ),
    },
    {
      name: 'time',
      label: t('users.time'),
      phone: 'meta',
      align: 'end',
      cell: (event) => <span className="text-3 nowrap">{moment(event.createdAt)}</span>,
    },
  ]
}

function EventCell({ event }: { event: AuditEvent }) {
  const t = useT()
  const changes = changesIn(event.data)
  return (
    <div className="users-event">
      <span className="medium">{event.title}</span>
      {event.comment && <span className="small text-2">{event.comment}</span>}
      {changes.length > 0 && (
        <ul className="small text-2">
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              {t('users.changeOf', { field: fieldLabel(t, field) })} {before && <del>{before}</del>}
              {before && after && ' → '}
              {after && <ins>{after}</ins>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function fieldLabel(t: Translate, field: string): string {
  const profile = profileFields.find((one) => one === field)
  if (profile) return t(profileLabels[profile])
  if (field === 'email') return t('users.email')
  if (field === 'aliases') return t('users.aliases')
  return field === 'subscriptions' ? t('users.subscriptions') : field
}
