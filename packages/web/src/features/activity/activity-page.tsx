import { displayAddress } from '@gatehouse/contract/canonical-address'
import { kinds, mailKinds } from '@gatehouse/contract/directory/kinds'
import type { AuditEvent } from '@gatehouse/contract/events'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import { dayHeading } from '../../domain/events/day-heading.ts'
import { eventKinds, kindLabels } from '../../domain/events/event-kinds.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { hasPermission } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import { firstMoment, lastMoment } from '../../ui/data-table/day-bounds.ts'
import { DayFilter } from '../../ui/data-table/day-filter.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { useActivityColumns } from './activity-columns.tsx'
import { listOptions, objectLabels } from './activity-place.ts'
import { PersonFilter } from './person-filter.tsx'
import './activity.css'

/** Activity in the accounts the user owns or manages, newest first. */
export function ActivityPage() {
  const t = useT()
  const navigation = useListPlace(listOptions)
  const columns = useActivityColumns()
  const [now] = useState(() => new Date())
  const { page, size, filters } = navigation.place
  const { objectType = null, object = null, event, actor = null, from, to } = filters
  const query = useApiPage(
    'GET /api/v4/events',
    {
      query: {
        ...{ page, size, objectType, object, actor },
        event: event ? `${event}.` : null,
        from: firstMoment(from),
        to: lastMoment(to),
      },
    },
    {
      // users open this page to see recent changes
      staleTime: 0,
    },
  )
  return (
    <>
      <PageHead title={t('words.activity')} facts={t('activity.facts')} />
      <DataList
        label={t('words.activity')}
        columns={columns}
        rowKey={({ id }) => id}
        groupOf={({ createdAt }) => dayHeading(createdAt, now)}
        query={query}
        navigation={navigation}
        tools={<Tools navigation={navigation} shown={query.data?.list[0]} />}
        empty={<EmptyState title={t('words.nothingHasHappenedYet')}>{t('activity.emptyText')}</EmptyState>}
      />
    </>
  )
}

type Navigation = ReturnType<typeof useListPlace<'time', typeof listOptions.filters>>

interface ToolsProps {
  navigation: Navigation
  /** First entry of the list, which has the name of its object. */
  shown: AuditEvent | undefined
}

function Tools({ navigation: { place, go }, shown }: ToolsProps) {
  const t = useT()
  const { filters } = place
  const narrow = (change: Partial<typeof filters>) =>
    go((latest) => ({ filters: { ...latest.filters, ...change } }))
  const shownTypes = mailKinds.filter((type) => hasPermission(kinds[type].permission))
  const { object } = filters
  return (
    <>
      {object !== undefined && (
        <Button size="small" icon={IconX} onPress={() => narrow({ object: undefined })}>
          {t('activity.onlyObject', {
            object: shown?.object ? displayAddress(shown.object) : t('sentences.number', { number: object }),
          })}
        </Button>
      )}
      <PersonFilter value={filters.actor} onFilter={(actor) => narrow({ actor })} />
      <ListFilter
        label={t('activity.object')}
        all={t('words.all')}
        options={shownTypes.map((type) => ({ value: type, label: t(objectLabels[type]) }))}
        value={filters.objectType}
        onFilter={(value) => narrow({ objectType: mailKinds.find((type) => type === value) })}
      />
      <ListFilter
        label={t('events.event')}
        all={t('words.all')}
        options={eventKinds.map((kind) => ({ value: kind, label: t(kindLabels[kind]) }))}
        value={filters.event}
        onFilter={(value) => narrow({ event: eventKinds.find((kind) => kind === value) })}
      />
      <DayFilter
        label={t('words.from')}
        value={filters.from}
        max={filters.to}
        onFilter={(from) => narrow({ from })}
      />
      <DayFilter
        label={t('words.to')}
        value={filters.to}
        min={filters.from}
        onFilter={(to) => narrow({ to })}
      />
    </>
  )
}
