import type { AuditEvent } from '@gatehouse/contract/events'
import type { UserDetail } from '@gatehouse/contract/users'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../app/query.tsx'
import { useSkuNames } from '../../app/sku-names.ts'
import { moment } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EventCell } from '../../ui/events/event-cell.tsx'
import { eventKinds, kindLabels } from '../../ui/events/event-kinds.ts'
import type { SkuNames } from '../../ui/events/event-words.ts'

/** A domain has its own record. */
const kinds = eventKinds.filter((kind) => kind !== 'domain')

const options = { sorts: ['time'], filters: { event: kinds }, order: 'desc' } as const

/** Who did what to a user, newest first. */
export function HistoryTab({ user }: { user: UserDetail }) {
  const t = useT()
  const skuNames = useSkuNames()
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
      columns={columns(t, skuNames)}
      rowKey={({ id }) => id}
      query={query}
      navigation={navigation}
      sorts={options.sorts}
      tools={
        <ListFilter
          label={t('events.event')}
          all={t('events.any')}
          options={kinds.map((kind) => ({ value: kind, label: t(kindLabels[kind]) }))}
          value={filters.event}
          onFilter={(value) => navigation.go({ filters: { event: kinds.find((kind) => kind === value) } })}
        />
      }
      empty={<EmptyState title={t('users.noHistory')}>{t('users.noHistoryText')}</EmptyState>}
    />
  )
}

function columns(t: Translate, skuNames: SkuNames): readonly Column<AuditEvent>[] {
  return [
    {
      name: 'event',
      label: t('events.event'),
      phone: 'main',
      width: '50%',
      cell: (event) => <EventCell event={event} skuNames={skuNames} />,
    },
    {
      name: 'actor',
      label: t('events.actor'),
      phone: 'meta',
      cell: (event) => (
        <>
          {event.actor ?? t('events.system')}
          {event.ip && <span className="event-ip">{event.ip}</span>}
        </>
      ),
    },
    {
      name: 'time',
      label: t('events.time'),
      phone: 'meta',
      align: 'end',
      cell: (event) => <span className="text-3 nowrap">{moment(event.createdAt)}</span>,
    },
  ]
}
