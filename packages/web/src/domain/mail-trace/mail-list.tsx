import { mailDirections, mailOutcomes } from '@gatehouse/contract/mail/mail-outcomes'
import type { TracedMessage } from '@gatehouse/contract/mail/mail-trace'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { useState } from 'react'
import { day, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable, DataTableSkeleton } from '../../ui/data-table/data-table.tsx'
import { firstMoment, lastMoment } from '../../ui/data-table/day-bounds.ts'
import { isDay } from '../../ui/data-table/day-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { dayHeading } from '../events/day-heading.ts'
import { MailFilters } from './mail-filters.tsx'
import { MessageSteps } from './message-steps.tsx'
import { OutcomeChip } from './outcome-chip.tsx'
import { shownAddress, shownRecipients } from './shown-address.ts'
import { useMessages } from './use-messages.ts'
import './mail-trace.css'

const options = {
  sorts: ['time'],
  order: 'desc',
  filters: {
    person: (text: string) => text.length <= 320,
    direction: mailDirections,
    outcome: mailOutcomes,
    from: isDay,
    to: isDay,
  },
} as const

/** Messages with their steps, newest first: the reader's, or for staff those of a user. */
export function MailList({ userId }: { userId?: number }) {
  const t = useT()
  const { place, go } = useListPlace(options)
  const { person = null, direction = null, outcome = null, from, to } = place.filters
  const query = useMessages(userId, {
    ...{ person, direction, outcome },
    ...{ from: firstMoment(from), to: lastMoment(to) },
  })
  const isFiltered = Object.values(place.filters).some((value) => value !== undefined)
  const messages = query.data?.pages.flatMap(({ list }) => list)
  if (messages?.length === 0 && !isFiltered && !query.hasNextPage) {
    return (
      <section className="panel">
        <EmptyState title={t('mailtrace.emptyTitle')}>{t('mailtrace.emptyText')}</EmptyState>
      </section>
    )
  }
  return (
    <section className="panel" aria-busy={query.isPending || undefined}>
      <div className="list-tools">
        <MailFilters
          filters={place.filters}
          onNarrow={(change) => go((latest) => ({ filters: { ...latest.filters, ...change } }))}
        />
      </div>
      <Messages
        messages={messages}
        isFailed={query.isError && messages === undefined}
        onRetry={query.refetch}
        hasMore={query.hasNextPage}
        canAct={userId === undefined}
        onShowAll={() => go({ filters: {} })}
      />
      {query.hasNextPage && (
        <div className="mail-more">
          <Button
            busy={query.isFetchingNextPage}
            busyLabel={t('mailtrace.loadingMore')}
            onPress={() => query.fetchNextPage()}
          >
            {t('mailtrace.more')}
          </Button>
        </div>
      )}
    </section>
  )
}

interface MessagesProps {
  messages: readonly TracedMessage[] | undefined
  isFailed: boolean
  onRetry: () => unknown
  hasMore: boolean
  /** Staff only look. */
  canAct: boolean
  onShowAll: () => void
}

function Messages({ messages, isFailed, onRetry, hasMore, canAct, onShowAll }: MessagesProps) {
  const t = useT()
  const [now] = useState(() => new Date())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const columns = useColumns(open, toggle)
  if (isFailed) {
    return (
      <div className="panel-body">
        <LoadFailed onRetry={onRetry} />
      </div>
    )
  }
  if (messages === undefined) return <DataTableSkeleton columns={columns} count={6} />
  if (messages.length === 0) {
    return hasMore ? (
      <p className="list-no-match" role="status">
        {t('mailtrace.searching')}
      </p>
    ) : (
      <div className="list-no-match" role="status">
        <h2>{t('mailtrace.noMatch')}</h2>
        <p>{t('mailtrace.noMatchText')}</p>
        <Button onPress={onShowAll}>{t('list.showAll')}</Button>
      </div>
    )
  }
  return (
    <DataTable
      label={t('mailtrace.messages')}
      columns={columns}
      rows={messages}
      rowKey={({ id }) => id}
      groupOf={({ lastAt }) => dayHeading(lastAt, now)}
      detail={(message) =>
        open.has(message.id) ? <MessageSteps message={message} canAct={canAct} /> : undefined
      }
    />
  )
}

function useColumns(
  open: ReadonlySet<string>,
  toggle: (id: string) => void,
): readonly Column<TracedMessage>[] {
  const t = useT()
  return [
    {
      name: 'message',
      label: t('words.message'),
      phone: 'main',
      cell: ({ sender, recipients }) => (
        <span className="mail-people">
          {t('mailtrace.fromTo', { sender: shownAddress(sender), recipients: shownRecipients(recipients) })}
        </span>
      ),
    },
    {
      name: 'outcome',
      label: t('words.outcome'),
      phone: 'meta',
      width: '160px',
      cell: ({ outcome }) => <OutcomeChip outcome={outcome} />,
    },
    {
      name: 'time',
      label: t('words.when'),
      phone: 'meta',
      align: 'end',
      width: '96px',
      cell: ({ lastAt }) => (
        <time className="text-3 nowrap" dateTime={toDate(lastAt).toISOString()}>
          {day(lastAt, { timeStyle: 'short' })}
        </time>
      ),
    },
    {
      name: 'details',
      label: t('words.details'),
      hideLabel: true,
      phone: 'aside',
      align: 'end',
      width: '56px',
      cell: ({ id, sender }) => (
        <Button
          variant="quiet"
          icon={open.has(id) ? IconChevronUp : IconChevronDown}
          label={t('mailtrace.stepsOf', { sender: shownAddress(sender) })}
          aria-expanded={open.has(id)}
          onPress={() => toggle(id)}
        />
      ),
    },
  ]
}
