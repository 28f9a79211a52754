import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { LogEntry, LoggedType } from '@gatehouse/contract/staff/staff-views'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCirclePause from '@tabler/icons-react/dist/esm/icons/IconCirclePause.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useState } from 'react'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { EventFacts, hasMore } from './entry-facts.tsx'
import { EventTime } from './event-facts.tsx'
import { commentWords } from './event-words.ts'
import { accessWords, isAccessEvent, isByUnknown } from './sign-in-words.ts'

const options = { sorts: ['time'], filters: {}, order: 'desc' } as const

export interface EventLogProps {
  type: LoggedType
  id: number
  /** Currency of its amounts. */
  currency?: string
}

/** An object's events for staff: newest first, with all details. */
export function EventLog({ type, id, currency }: EventLogProps) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const query = useApiPage('GET /api/v4/eventlog/{type}/{id}', {
    params: { type, id: String(id) },
    query: { page, size },
  })
  const toggle = (entry: string) => {
    const next = new Set(open)
    if (!next.delete(entry)) next.add(entry)
    setOpen(next)
  }
  return (
    <DataList
      label={t('words.history')}
      columns={useColumns(open, toggle)}
      rowKey={(entry) => entry.id}
      detail={(entry) => (open.has(entry.id) ? <EventFacts entry={entry} currency={currency} /> : undefined)}
      query={query}
      navigation={navigation}
      empty={<EmptyState title={t('words.nothingHasHappenedYet')}>{t('events.emptyText')}</EmptyState>}
    />
  )
}

function useColumns(open: ReadonlySet<string>, toggle: (id: string) => void): readonly Column<LogEntry>[] {
  const t = useT()
  return [
    {
      name: 'time',
      label: t('words.when'),
      phone: 'meta',
      width: '22%',
      cell: (entry) => <EventTime event={entry} />,
    },
    {
      name: 'event',
      label: t('events.event'),
      phone: 'main',
      cell: ({ event, kind }) => {
        const { tone, icon } = lookOf(kind)
        return (
          <Chip tone={tone} icon={icon}>
            {event}
          </Chip>
        )
      },
    },
    {
      name: 'comment',
      label: t('events.commentAndWho'),
      phone: 'meta',
      width: '44%',
      cell: ({ comment, user, onBehalf, apiKey, kind, data }) => {
        const actor = user
          ? displayAddress(user)
          : t(isByUnknown(kind) ? 'events.unknownActor' : 'events.system')
        const who =
          apiKey === null
            ? actor
            : user === null
              ? t('events.byApiKey', { key: apiKey })
              : t('events.withApiKey', { user: actor, key: apiKey })
        const access = isAccessEvent(kind) ? accessWords(data) : undefined
        return (
          <span className="event-comment">
            {access && <span>{access}</span>}
            {comment && <span>{commentWords(comment)}</span>}
            <span className="small text-3">
              {onBehalf === null
                ? who
                : t('events.onBehalf', { staff: displayAddress(onBehalf), user: actor })}
            </span>
          </span>
        )
      },
    },
    {
      name: 'details',
      label: t('words.details'),
      phone: 'aside',
      align: 'end',
      width: '56px',
      cell: (entry) =>
        hasMore(entry) && (
          <Button
            variant="quiet"
            icon={open.has(entry.id) ? IconChevronUp : IconChevronDown}
            label={t('events.detailsOf', { event: entry.event, time: moment(entry.createdAt) })}
            aria-expanded={open.has(entry.id)}
            onPress={() => toggle(entry.id)}
          />
        ),
    },
  ]
}

/** Returns colour and icon of an event `object.verb`, by the verb's prefix. */
export function lookOf(kind: string): { tone: Tone; icon: Glyph } {
  const [object, verb = ''] = kind.split('.')
  if (/^(failed|proof-failed|denied|refused|token-reused)$/.test(verb) && isAccessEvent(kind)) {
    return { tone: 'warning', icon: IconCircleX }
  }
  if (/^(suspend|degrade|restrict)/.test(verb)) return { tone: 'warning', icon: IconCirclePause }
  if (/^(unsuspend|undegrade|activate|restore|create|confirm)/.test(verb)) {
    return { tone: 'success', icon: IconCircleCheck }
  }
  if (/^delete/.test(verb)) return { tone: 'muted', icon: IconCircleX }
  if (object === 'mail') return { tone: 'info', icon: IconMail }
  return { tone: 'muted', icon: IconPencil }
}
