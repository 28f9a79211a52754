import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { AuditEvent } from '@gatehouse/contract/events'
import { EventCell } from '../../domain/events/event-cell.tsx'
import { EventSource } from '../../domain/events/event-facts.tsx'
import { subjectOf } from '../../domain/events/event-sentence.ts'
import { useSkuNames } from '../../domain/subscriptions/sku-names.ts'
import { day, moment, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useUser } from '../../platform/session/auth.ts'
import type { Column } from '../../ui/data-table/data-table.tsx'

/** Columns of an account's activity, whose rows are grouped by day. */
export function useActivityColumns(): readonly Column<AuditEvent>[] {
  const t = useT()
  const skuNames = useSkuNames()
  return [
    {
      name: 'event',
      label: t('events.event'),
      phone: 'main',
      cell: (event) => (
        <EventCell event={event} skuNames={skuNames} narrows>
          <Source event={event} />
        </EventCell>
      ),
    },
    {
      name: 'time',
      label: t('words.when'),
      phone: 'aside',
      align: 'end',
      width: '120px',
      cell: (event) => <TimeOfDay event={event} />,
    },
  ]
}

/** The actor's full identity, where the sentence only has a name, and their origin. */
function Source({ event }: { event: AuditEvent }) {
  const t = useT()
  const readerId = useUser()?.id
  const { actor, onBehalf, ip, times = 1 } = event
  const { kind, name } = subjectOf(event, readerId)
  const address = actor === null ? undefined : displayAddress(actor)
  const isNamed = kind !== 'person' || name !== address
  const who =
    onBehalf === undefined
      ? kind !== 'you' && isNamed && address
      : t('events.onBehalf', { staff: displayAddress(onBehalf), user: address ?? '' })
  if (!who && ip === null && times === 1) return null
  return (
    <span className="activity-source small text-3">
      {who && <span>{who}</span>}
      <EventSource source={event} />
    </span>
  )
}

/** Time of an entry, or its time range if it is an aggregate. */
function TimeOfDay({ event: { createdAt, lastAt } }: { event: AuditEvent }) {
  const t = useT()
  const first = toDate(createdAt)
  const last = lastAt === undefined ? undefined : toDate(lastAt)
  const isSameDay = last?.toDateString() === first.toDateString()
  const time = (at: Date) => day(at, { timeStyle: 'short' })
  const until = last && (isSameDay ? time(last) : moment(last))
  return (
    <time className="text-3 nowrap" dateTime={first.toISOString()}>
      {time(first)}
      {until && until !== time(first) && (
        <span className="event-until">{t('events.until', { moment: until })}</span>
      )}
    </time>
  )
}
