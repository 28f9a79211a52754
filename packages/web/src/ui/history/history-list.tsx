import type { AuditEvent } from '@gatehouse/contract/events'
import type { ReactNode } from 'react'
import { moment } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { DataList, type ListQuery } from '../data-table/data-list.tsx'
import type { Column } from '../data-table/data-table.tsx'
import type { Filters, ListNavigation } from '../data-table/list-place.ts'
import { EmptyState } from '../empty-state.tsx'
import { changesIn } from './event-changes.ts'
import './history.css'

/** The key by which a record of changes is ordered: newest first. */
export const historySorts = ['time'] as const

export interface HistoryListProps<F extends Filters> {
  query: ListQuery<AuditEvent>
  navigation: ListNavigation<'time', F>
  /** The word for a field that a change names. */
  fieldLabel: (field: string) => string
  /** Fields in the order of the form. */
  fields: readonly string[]
  /** Filters, above the table. */
  tools?: ReactNode
}

/** Who did what to an object, newest first. */
export function HistoryList<F extends Filters>(props: HistoryListProps<F>) {
  const { query, navigation, fieldLabel, fields, tools } = props
  const t = useT()
  return (
    <DataList
      label={t('history.title')}
      columns={columns(t, { fieldLabel, fields })}
      rowKey={({ id }) => id}
      query={query}
      navigation={navigation}
      sorts={historySorts}
      tools={tools}
      empty={<EmptyState title={t('history.empty')}>{t('history.emptyText')}</EmptyState>}
    />
  )
}

type Words = Pick<HistoryListProps<Filters>, 'fieldLabel' | 'fields'>

function columns(t: Translate, words: Words): readonly Column<AuditEvent>[] {
  return [
    {
      name: 'event',
      label: t('history.event'),
      phone: 'main',
      width: '50%',
      cell: (event) => <EventCell event={event} {...words} />,
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

function EventCell({ event, fieldLabel, fields }: { event: AuditEvent } & Words) {
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
