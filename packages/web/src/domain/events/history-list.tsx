import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { AuditEvent } from '@gatehouse/contract/events'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { DataList, type ListQuery } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { type Filters, type ListNavigation, useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { useSkuNames } from '../subscriptions/sku-names.ts'
import { EventCell } from './event-cell.tsx'
import { EventSource, EventTime } from './event-facts.tsx'
import { isByUnknown } from './sign-in-words.ts'

/** Sort key of the activity: newest first. */
export const historySorts = ['time'] as const

export interface HistoryListProps<F extends Filters> {
  query: ListQuery<AuditEvent>
  navigation: ListNavigation<'time', F>
  /** Filters above the table. */
  tools?: ReactNode
}

/** Actions on an object, newest first. */
export function HistoryList<F extends Filters>({ query, navigation, tools }: HistoryListProps<F>) {
  const t = useT()
  return (
    <DataList
      label={t('words.history')}
      columns={useHistoryColumns()}
      rowKey={({ id }) => id}
      query={query}
      navigation={navigation}
      tools={tools}
      empty={<EmptyState title={t('words.nothingHasHappenedYet')}>{t('events.emptyText')}</EmptyState>}
    />
  )
}

const options = { sorts: historySorts, filters: {}, order: 'desc' } as const

export interface ObjectHistoryProps {
  /** As named in the event log. */
  objectType: string
  id: number
}

/** The activity of one object in the account. */
export function ObjectHistory({ objectType, id }: ObjectHistoryProps) {
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useApiPage('GET /api/v4/events', { query: { objectType, object: String(id), page, size } })
  return <HistoryList query={query} navigation={navigation} />
}

function useHistoryColumns(): readonly Column<AuditEvent>[] {
  const t = useT()
  const skuNames = useSkuNames()
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
      label: t('words.who'),
      phone: 'meta',
      cell: (event) => (
        <>
          {event.actor
            ? displayAddress(event.actor)
            : t(isByUnknown(event.event) ? 'events.unknownActor' : 'events.system')}
          <EventSource source={event} />
        </>
      ),
    },
    {
      name: 'time',
      label: t('words.when'),
      phone: 'meta',
      align: 'end',
      cell: (event) => <EventTime event={event} />,
    },
  ]
}
