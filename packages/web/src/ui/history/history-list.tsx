import type { AuditEvent } from '@gatehouse/contract/events'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { moment } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { DataList, type ListPage } from '../data-table/data-list.tsx'
import type { Column } from '../data-table/data-table.tsx'
import { ListFilter } from '../data-table/list-filter.tsx'
import { useListPlace } from '../data-table/list-place.ts'
import { EmptyState } from '../empty-state.tsx'
import { changesIn } from './event-changes.ts'
import './history.css'

/** Which part of the record is asked for; `event` is a whole kind, as `user.`. */
export interface HistoryQuery {
  page: number
  size: number
  event: string | null
}

export interface HistoryListProps {
  /** The call for one page, newest first, as a query with its key. */
  events: (query: HistoryQuery) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<ListPage<AuditEvent>>
  }
  /** Kinds of events to choose from, by the first word of their names; none: no choice. */
  kinds?: readonly { name: string; label: string }[]
  /** Fields in the order of the form, for what changed. */
  fields: readonly string[]
  fieldLabel: (field: string) => string
  /** What is recorded here, for as long as nothing is. */
  empty: string
}

/** Who did what to an object, newest first. Page and filter are in the address. */
export function HistoryList({ events, kinds = [], fields, fieldLabel, empty }: HistoryListProps) {
  const t = useT()
  const options = {
    sorts: ['time'],
    filters: { event: kinds.map(({ name }) => name) },
    order: 'desc',
  } as const
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const { queryKey, queryFn } = events({ page, size, event: filters.event ? `${filters.event}.` : null })
  const query = useQuery({ queryKey, queryFn, placeholderData: keepPreviousData })
  return (
    <DataList
      label={t('history.title')}
      columns={columns(t, fields, fieldLabel)}
      rowKey={({ id }) => id}
      query={query}
      navigation={navigation}
      sorts={options.sorts}
      tools={
        kinds.length > 0 && (
          <ListFilter
            label={t('history.event')}
            all={t('history.anyEvent')}
            options={kinds.map(({ name, label }) => ({ value: name, label }))}
            value={filters.event}
            onFilter={(event) => navigation.go({ filters: { event } })}
          />
        )
      }
      empty={<EmptyState title={t('history.empty')}>{empty}</EmptyState>}
    />
  )
}

function columns(
  t: Translate,
  fields: readonly string[],
  fieldLabel: (field: string) => string,
): readonly Column<AuditEvent>[] {
  return [
    {
      name: 'event',
      label: t('history.event'),
      phone: 'main',
      width: '50%',
      cell: (event) => <EventCell event={event} fields={fields} fieldLabel={fieldLabel} />,
    },
    {
      name: 'actor',
      label: t('history.actor'),
      phone: 'meta',
      cell: (event) => (
        <>
          {event.actor ?? t('history.system')}
          {event.ip && <span className="history-ip">{event.ip}</span>}
        </>
      ),
    },
    {
      name: 'time',
      label: t('history.time'),
      phone: 'meta',
      align: 'end',
      cell: (event) => <span className="text-3 nowrap">{moment(event.createdAt)}</span>,
    },
  ]
}

interface EventCellProps {
  event: AuditEvent
  fields: readonly string[]
  fieldLabel: (field: string) => string
}

function EventCell({ event, fields, fieldLabel }: EventCellProps) {
  const t = useT()
  const changes = changesIn(event.data, fields)
  return (
    <div className="history-event">
      <span className="medium">{event.title}</span>
      {event.comment && <span className="small text-2">{event.comment}</span>}
      {changes.length > 0 && (
        <ul className="small text-2">
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              {t('history.changeOf', { field: fieldLabel(field) })} {before && <del>{before}</del>}
              {before && after && ' → '}
              {after && <ins>{after}</ins>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
